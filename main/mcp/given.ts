/** Input as it was given: members that are absent stay absent, since `undefined` means something else in options. */

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>
}
