/** How a path is written for the person: from the current folder when it lies inside, else in full. */
import { isAbsolute, relative } from 'node:path'

export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}
