/** One process as the system's own words have it. Pure: who reads the words is the store for owners and the agents for families. */

export interface ProcessRow {
  pid: number
  parent: number
  group: number
  /** Clock ticks since boot on Linux, milliseconds since 1970 elsewhere; 0 when the words do not tell. */
  startTime: number
  /** It has ended, and only its parent has not noticed yet. */
  isZombie: boolean
}

/** `/proc/<pid>/stat`: the name in parentheses may hold spaces and parentheses itself, so fields count from the last one. */
export function procRow(pid: number, stat: string): ProcessRow {
  // state (3rd field), parent, group … start (22nd)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTime: Number(fields[19]) || 0,
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
  }
}

/** What `psRow` reads a line of; with `LC_ALL=C` and `TZ=UTC`. */
export const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart='

/** One line of `ps -o` with these columns; null for none. */
export function psRow(line: string): ProcessRow | null {
  const [pid, parent, group, stat, ...started] = line.trim().split(/\s+/)
  if (pid === undefined || stat === undefined) return null
  const startTime = Date.parse(`${started.join(' ')} UTC`) || 0
  return { pid: Number(pid), parent: Number(parent), group: Number(group), startTime, isZombie: stat.startsWith('Z') }
}
