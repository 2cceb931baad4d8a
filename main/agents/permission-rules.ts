/** What a profile says to an agent that wants to use a tool, before anybody is asked. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Choice } from './catalog.ts'

/** `ask`: it is a person's to decide. `why` is a sentence for the transcript. */
export type Rule = { answer: 'allow' } | { answer: 'ask' } | { answer: 'deny'; why: string }

/** @param tool as the backend names it, e.g. `Bash` */
export function ruleFor(tool: string, { profile, tools, permissions }: Pick<Choice, 'profile' | 'tools' | 'permissions'>): Rule {
  if (tools !== null && !tools.some((entry) => nameOf(entry) === nameOf(tool))) {
    return { answer: 'deny', why: `${tool} is not among the tools of this call` }
  }
  const isListed = profile.allowedTools?.includes(tool) === true
  switch (permissions) {
    case 'full':
      return { answer: 'allow' }
    case 'allow-listed':
      return isListed ? { answer: 'allow' } : { answer: 'deny', why: `${tool} is not among the allowed tools of “${profile.name}”` }
    case 'ask':
      return isListed ? { answer: 'allow' } : { answer: 'ask' }
    default:
      return assertNever(permissions)
  }
}

/** An entry such as `Bash(git log:*)` is about the tool `Bash`; whether the rest fits is the backend's to know. */
function nameOf(entry: string): string {
  return entry.replace(/\(.*\)$/s, '')
}
