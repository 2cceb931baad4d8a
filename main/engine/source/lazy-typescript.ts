/** Loads the TypeScript compiler, megabytes that a JavaScript file never needs, the first time a TypeScript file is read. */

/** The functions of `typescript.ts`. Safe to call at any time, from several places at once. */
export async function loadTypeScript(): Promise<typeof import('./typescript.ts')> {
  // While it loads the compiler asks for `__filename`, which it has as CommonJS and lacks when bundled into an ES module.
  const scope: { __filename?: string } = globalThis
  const lends = !('__filename' in scope)
  if (lends) scope.__filename = new URL(import.meta.url).pathname
  try {
    return await import('./typescript.ts')
  } finally {
    if (lends) delete scope.__filename
  }
}
