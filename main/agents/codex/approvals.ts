/** Answers Codex, which asks before it runs a command, changes files or leaves its sandbox. */
import type { Json } from '../../../shared/json.ts'
import type { AgentCall, AgentContext } from '../agent-runner.ts'
import { mentioned, PATCH_NAMES, SHELL_NAMES } from './codex-settings.ts'
import type { ServerRequest } from './protocol.ts'

export class Approvals {
  private readonly call: AgentCall
  private readonly context: AgentContext
  private readonly filesOf: (itemId: string) => readonly string[]
  private questions = 0

  constructor(call: AgentCall, context: AgentContext, filesOf: (itemId: string) => readonly string[]) {
    this.call = call
    this.context = context
    this.filesOf = filesOf
  }

  /** The answer in the protocol's words. */
  async answer({ method, params }: ServerRequest): Promise<Json> {
    switch (method) {
      case 'item/commandExecution/requestApproval': {
        const command = params.command ?? 'a command'
        const input = { command, cwd: params.cwd ?? this.call.cwd, ...reason(params.reason) }
        return decision(await this.mayUse('shell', SHELL_NAMES, `Run ${command}`, input))
      }
      case 'item/fileChange/requestApproval': {
        const files = [...this.filesOf(params.itemId)]
        const title = `Change ${files.length === 0 ? (params.grantRoot ?? 'files') : files.join(', ')}`
        return decision(await this.mayUse('apply_patch', PATCH_NAMES, title, { files, ...reason(params.reason) }))
      }
      case 'item/permissions/requestApproval': {
        const title = params.reason ?? 'Leave the sandbox'
        const may = await this.mayUse('permissions', [], title, { permissions: params.permissions, ...reason(params.reason) })
        return { permissions: may ? given(params.permissions) : {}, scope: 'turn' }
      }
      case 'item/tool/requestUserInput':
        return { answers: {} }
      case 'mcpServer/elicitation/request':
        return { action: 'decline', content: null, _meta: null }
      default:
        throw new Error('Reprise can’t answer this')
    }
  }

  private async mayUse(tool: string, names: readonly string[], title: string, input: Json): Promise<boolean> {
    const { call, context } = this
    const refuse = (why: string): false => {
      context.onEvent({ kind: 'notice', text: `${tool} ${why}; the agent goes on without it` })
      return false
    }
    // It is asked about by the name that the call has for it.
    const name = call.allowedTools === undefined ? tool : mentioned(call.allowedTools, names)
    if (name === undefined) return refuse('is not among the tools of this call')
    if (call.readOnly) return refuse('would change something, and this call may only look')
    this.questions += 1
    const id = `${call.call}.${call.generation}.${this.questions}`
    return (await context.onPermission({ id, tool: name, title, input })) === 'deny' ? refuse('was denied') : true
  }
}

function reason(words: string | null | undefined): { reason?: string } {
  return words === null || words === undefined || words === '' ? {} : { reason: words }
}

/** `accept` is for this once: what a person allows for good is remembered on our side. */
function decision(may: boolean): Json {
  return { decision: may ? 'accept' : 'decline' }
}

/** What was asked for, without what was not. */
function given(permissions: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== null))
}
