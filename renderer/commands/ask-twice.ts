/** Stopping by a single key asks once more: the same key again goes through, any other key lets it go. */
import type { CommandContext } from './command.ts'

let armed: string | null = null

export function disarm(): void {
  armed = null
}

export function askTwice({ stores }: CommandContext, runId: string, question: string, act: () => void): void {
  if (armed === runId) {
    armed = null
    act()
    return
  }
  armed = runId
  stores.window.getState().showToast({ text: question, action: null })
  stores.window.getState().say(question)
}
