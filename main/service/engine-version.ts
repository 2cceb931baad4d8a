import packageJson from '../../package.json' with { type: 'json' }

/** The version that is written into runs and journals. */
export const ENGINE_VERSION: string = packageJson.version
