/** What the bundler turns into files: style sheets are imported for their effect. */
declare module '*.css'
interface ImportMetaEnv {
  readonly DEV: boolean
  readonly MODE: string
}
interface ImportMeta {
  readonly env: ImportMetaEnv
}
