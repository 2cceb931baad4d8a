/** A prompt for a program that knows nothing of schemas and roles: both are said in words. */
import type { AgentCall } from '../agent-runner.ts'

export function promptFor({ prompt, schema, instructions }: Pick<AgentCall, 'prompt' | 'schema' | 'instructions'>): string {
  const asked =
    schema === undefined
      ? []
      : [`Answer with one JSON value and nothing else, no code fence. It has to match this JSON Schema:\n${JSON.stringify(schema)}`]
  return [...(instructions === undefined ? [] : [instructions]), prompt, ...asked].join('\n\n')
}
