/** Serves the built page as `app://reprise/`: files of one folder, nothing above it, under a strict content policy. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { protocol } from 'electron'
import { fileOfUrl } from './page-file.ts'

export const APP_ORIGIN = 'app://reprise'

/** Styles may be inline because the dialog and menu primitives set them so; scripts never. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Answers requests for the page and its parts, from `pageFolder` only. */
export function serveApp(pageFolder: string): void {
  protocol.handle('app', async ({ url, method }) => {
    const file = method === 'GET' ? fileOfUrl(url, pageFolder) : null
    const type = TYPES[extname(file ?? '')]
    if (file === null || type === undefined) return notFound()
    try {
      return new Response(new Uint8Array(await readFile(file)), { headers: headersFor(type) })
    } catch {
      return notFound()
    }
  })
}

function headersFor(type: string): Record<string, string> {
  return { 'content-type': type, 'content-security-policy': CONTENT_POLICY, 'x-content-type-options': 'nosniff' }
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: headersFor('text/plain') })
}
