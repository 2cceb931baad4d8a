/** The system's own open dialogs. The answer is the path that the person chose, null when they chose none. */
import * as z from 'zod'
import { method, Nothing } from './method.ts'

const Chosen = z.object({ path: z.string() }).nullable()

export const openScript = method('dialogs.openScript', { input: Nothing, output: Chosen })
export const openProject = method('dialogs.openProject', { input: Nothing, output: Chosen })
