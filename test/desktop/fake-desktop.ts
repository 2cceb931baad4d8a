/** The desktop around the app in tests: shows what it is told to show, and clicks. Played by fake_desktop.py on the session bus. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const WAIT_MS = 10_000

export type DesktopEvent =
  | { event: 'ready' }
  | { event: 'notification'; id: number; app: string; summary: string; body: string; actions: string[] }
  | { event: 'notification-closed'; id: number }
  | { event: 'tray'; item: string; status: string; tooltip: unknown }
  | { event: 'tray-gone'; item: string }
  | { event: 'menu'; item: string; labels: string[] }
  | { event: 'error'; message: string }

type Named<N extends DesktopEvent['event']> = Extract<DesktopEvent, { event: N }>

export type DesktopCommand =
  | { do: 'click' | 'dismiss'; id: number }
  | { do: 'activate' | 'read-menu'; item: string }
  | { do: 'choose'; item: string; label: string }

export class FakeDesktop {
  readonly events: DesktopEvent[] = []
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Set<() => void>()
  #errors = ''

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line))
      for (const look of [...this.#waiting]) look()
    })
    child.stderr.on('data', (text) => {
      this.#errors += text
    })
  }

  /** Takes the desktop's names on the session bus; start it before the app. */
  static async start(): Promise<FakeDesktop> {
    // The system's own Python: the D-Bus bindings are Debian packages.
    const desktop = new FakeDesktop(spawn('/usr/bin/python3', [join(import.meta.dirname, 'fake_desktop.py')], { stdio: 'pipe' }))
    await desktop.next('ready')
    return desktop
  }

  send(command: DesktopCommand): void {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`)
  }

  all<N extends DesktopEvent['event']>(name: N): Named<N>[] {
    return this.events.filter((event): event is Named<N> => event.event === name)
  }

  /** The event of that name after `skip` earlier ones, as soon as it has happened. */
  next<N extends DesktopEvent['event']>(name: N, skip = 0): Promise<Named<N>> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(late)
        this.#waiting.delete(look)
      }
      const look = () => {
        const found = this.all(name)[skip]
        const broken = name === 'error' ? undefined : this.all('error')[0]
        if (found === undefined && broken === undefined) return
        done()
        if (found !== undefined) resolve(found)
        else reject(new Error(`the fake desktop failed: ${broken?.message}`))
      }
      const late = setTimeout(() => {
        done()
        reject(new Error(`no “${name}” in ${WAIT_MS} ms; seen: ${JSON.stringify(this.events)} ${this.#errors}`))
      }, WAIT_MS)
      this.#waiting.add(look)
      look()
    })
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin.end()
    await ended
  }
}
