/** Ends every `switch` over a union, so that a new member is a compile error where it is not handled. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
