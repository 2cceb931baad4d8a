/** One thing that the page can ask of the main process: its name, and what goes in and comes out. Types are inferred from here. */
import * as z from 'zod'

export interface Method<N extends string = string, I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: N
  readonly input: I
  readonly output: O
}

export function method<const N extends string, I extends z.ZodType, O extends z.ZodType>(
  name: N,
  shape: { input: I; output: O },
): Method<N, I, O> {
  return { name, ...shape }
}

/** Of a method that takes nothing. */
export const Nothing = z.undefined()
/** Of a method whose only answer is that it is done. */
export const Done = z.null()
