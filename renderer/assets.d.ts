/** What the bundler turns into files: style sheets are imported for their effect. */
declare module '*.css'
interface ImportMetaEnv {
  readonly DEV: boolean
}
interface ImportMeta {
  readonly env: ImportMetaEnv
}
