/** One process per data folder: a second start hands over its words and its folder, and goes. */
import { app } from 'electron'
import * as z from 'zod'

const Handover = z.object({ argv: z.array(z.string()), cwd: z.string() })
export type Handover = z.infer<typeof Handover>

/** @returns false when another process has this data folder; it was told what this one was asked to open. */
export function isFirstInstance(): boolean {
  // Chromium reorders the arguments that it passes on itself, so they also travel as data.
  return app.requestSingleInstanceLock({ argv: process.argv, cwd: process.cwd() } satisfies Handover)
}

export function onSecondInstance(listener: (handover: Handover) => void): void {
  app.on('second-instance', (_event, argv, cwd, data) => {
    const handover = Handover.safeParse(data)
    listener(handover.success ? handover.data : { argv, cwd })
  })
}
