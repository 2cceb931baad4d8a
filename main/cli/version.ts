/** The version as `package.json` has it (a test compares), at hand without reading a file. */
export const VERSION = '0.1.0'
