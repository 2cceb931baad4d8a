/** From an address of the page's scheme to a file of the page's folder, and to nothing else. */
import { join, normalize, sep } from 'node:path'

/** The file that a URL of ours means, or null for anything else. */
export function fileOfUrl(url: string, pageFolder: string): string | null {
  const { host, pathname } = new URL(url)
  if (host !== 'reprise') return null
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (path.includes('\0')) return null
  const file = normalize(join(pageFolder, path === '/' ? 'index.html' : path))
  return file.startsWith(pageFolder + sep) ? file : null
}
