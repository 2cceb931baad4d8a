/** What a model says and thinks bit by bit, shown as lines. What comes between is shown after the line that it breaks off. */
import type { AgentEvent } from '../engine/ports.ts'
import { TextFlow } from './text-flow.ts'

export class Speech {
  readonly #show: (event: AgentEvent) => void
  readonly #text: TextFlow
  readonly #thinking: TextFlow

  constructor(show: (event: AgentEvent) => void) {
    this.#show = show
    this.#text = new TextFlow((text) => show({ kind: 'text', text }))
    this.#thinking = new TextFlow((text) => show({ kind: 'thinking', text }))
  }

  says(text: string): void {
    this.#thinking.flush()
    this.#text.add(text)
  }

  thinks(text: string): void {
    this.#text.flush()
    this.#thinking.add(text)
  }

  /** Shows what has no end of line yet. */
  flush(): void {
    this.#text.flush()
    this.#thinking.flush()
  }

  notice(text: string): void {
    this.flush()
    this.#show({ kind: 'notice', text })
  }
}
