/** The version as `package.json` has it (a test compares), at hand without reading a file. Written into runs and journals. */
export const VERSION = '0.1.0'
