/** What a desktop program needs around it: whether there is a display, and the words that give it one. */

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Chromium refuses to start as root with its own sandbox on. */
export function rootSwitches() {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

/**
 * Wraps a command so that it gets a virtual screen when there is none, and on Linux a session bus of its own: tests play the
 * desktop's notification server there and must not take the person's.
 * @param {string} program
 * @param {string[]} args
 * @returns {{ program: string, args: string[] }}
 */
export function inTestSession(program, args) {
  if (process.platform !== 'linux') return { program, args }
  const onBus = ['--', program, ...args]
  if (hasDisplay()) return { program: 'dbus-run-session', args: onBus }
  return { program: 'xvfb-run', args: ['-a', '-s', '-screen 0 1280x800x24', 'dbus-run-session', ...onBus] }
}
