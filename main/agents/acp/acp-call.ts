/**
 * One call in the Agent Client Protocol: a process, a session in it, a prompt, and its answer. Loaded when the first such call
 * comes, since it brings the protocol's own package along.
 */
import { setTimeout as wait } from 'node:timers/promises'
import {
  type ClientContext,
  client,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type StopReason,
} from '@agentclientprotocol/sdk'
import type { Json } from '../../../shared/json.ts'
import type { Usage } from '../../../shared/run/record.ts'
import { VERSION } from '../../../shared/version.ts'
import { schemaCheck } from '../../engine/schema.ts'
import { AgentChild } from '../agent-child.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../agent-runner.ts'
import { type Command, spawnProblem } from '../command.ts'
import { requestFailure, saidFailure } from './failure.ts'
import type { KnownAgent } from './known-agents.ts'
import { BrokenMessage, messageStream } from './message-stream.ts'
import { chosen, commonName, isOwnTool, whyBarred } from './permission.ts'
import { applySettings, type SessionState } from './session-settings.ts'
import { SERVER_NAME, StructuredOutput, TOOL_NAME } from './structured-output.ts'
import { Turn } from './turn.ts'
import { added, usageOf, usageWords } from './usage.ts'

/** An agent as its profile and what is known of its program make it. */
export interface AcpAgent {
  file: string
  args: readonly string[]
  known: KnownAgent
  mode: string | null
  /** The profile names the mode. */
  modeIsAsked: boolean
  /** The login method that the profile chooses. */
  authMethod: string | undefined
  config: Readonly<Record<string, string>>
  /** Tools that the profile has rules for. */
  allowedTools: readonly string[]
}

/** From start to the first answer; the slowest agents take half a minute on a busy machine. */
const START_MS = 120_000
/** For an end of the turn in order, once it is cancelled. */
const CANCEL_MS = 1500
/** For an end of its own after its input was closed; some programs never do. */
const LEAVE_MS = 400
/** For the exit of a process whose pipes are closed already. */
const EXIT_MS = 500
/** An agent whose turn ends by each denial goes on no more after so many questions. */
const MOST_QUESTIONS = 20
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

export async function runAcpCall(agent: AcpAgent, call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
  if (context.signal.aborted) return { kind: 'cancelled' }
  const structured = call.schema === undefined ? null : await StructuredOutput.open(call.schema)
  try {
    const command = { file: agent.file, args: agent.args, cwd: call.cwd, env: { ...agent.known.env, ...context.env } }
    const child = startedChild(command, context)
    if (typeof child === 'string') return dead(child, false)
    if (child.process.pid === undefined) return dead(await child.ended, false)
    try {
      return await new Conversation(agent, call, context, child, structured).outcome()
    } finally {
      await child.end(LEAVE_MS)
    }
  } finally {
    await structured?.close()
  }
}

/** The program at work, or why it can't be started. */
function startedChild(command: Pick<Command, 'file' | 'args' | 'cwd' | 'env'>, context: AgentContext): AgentChild | string {
  try {
    return new AgentChild(command, (self) => context.onSpawn(self))
  } catch (error) {
    return spawnProblem(command, error)
  }
}

class Conversation {
  private readonly agent: AcpAgent
  private readonly call: AgentCall
  private readonly context: AgentContext
  private readonly child: AgentChild
  private readonly structured: StructuredOutput | null
  private readonly turn: Turn
  private usage: Usage = NO_USAGE
  /** The session as soon as it can be cancelled; what an agent tells before is of an earlier time. */
  private sessionId: string | null = null
  private questions = 0
  /** A tool was denied in this turn. */
  private isDenied = false

  constructor(agent: AcpAgent, call: AgentCall, context: AgentContext, child: AgentChild, structured: StructuredOutput | null) {
    this.agent = agent
    this.call = call
    this.context = context
    this.child = child
    this.structured = structured
    this.turn = new Turn((event) => context.onEvent(event))
  }

  async outcome(): Promise<AgentOutcome> {
    const { signal } = this.context
    const { stdin, stdout } = this.child.process
    const noise = (text: string): void => this.context.onEvent({ kind: 'notice', text })
    const connection = this.app().connect(messageStream(stdin, stdout, noise))
    const ended = this.talk(connection.agent).catch((error: unknown) => this.failure(error))
    const aborted = new Promise<'aborted'>((resolve) => {
      if (signal.aborted) resolve('aborted')
      else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
    })
    const first = await Promise.race([ended, aborted])
    if (first === 'aborted') await this.cancel(connection.agent, ended)
    this.turn.speech.flush()
    connection.close()
    return first === 'aborted' ? { kind: 'cancelled' } : first
  }

  private app() {
    return client({ name: 'reprise' })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.sessionId) this.turn.take(params.update)
      })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        const tool = this.turn.toolOf(params.toolCall)
        if (this.structured !== null && isOwnTool(tool, params._meta)) return chosen('allow-always', params.options)
        this.questions += 1
        const barred = whyBarred(this.call, tool)
        if (barred !== null) {
          this.context.onEvent({ kind: 'notice', text: `${tool.name} ${barred}; the agent goes on without it` })
          this.isDenied = true
          return chosen('deny', params.options)
        }
        const listed = [...(this.call.allowedTools ?? []), ...this.agent.allowedTools]
        const id = `${this.call.call}.${this.call.generation}.${this.questions}`
        const answer = await this.context.onPermission({
          id,
          tool: commonName(tool, listed),
          title: tool.title || tool.name,
          input: tool.input,
        })
        // Some agents say nothing more of an allowed tool until it has ended.
        if (answer === 'deny') this.isDenied = true
        else this.turn.started(tool)
        return this.context.signal.aborted ? { outcome: { outcome: 'cancelled' } } : chosen(answer, params.options)
      })
  }

  private async talk(agent: ClientContext): Promise<AgentOutcome> {
    const { call, structured } = this
    const about = await this.initialize(agent)
    const session = await this.openSession(agent, about)
    const notice = (text: string): void => this.context.onEvent({ kind: 'notice', text })
    const { mode, modeIsAsked, known, config } = this.agent
    const settings = { mode, modeIsAsked, config, model: call.model, modelIsSet: known.modelFlag !== undefined, effort: call.effort }
    const refused = await applySettings(agent, session, settings, notice)
    if (refused !== null) return { kind: 'dead', reason: refused.refused, detail: refused.detail, retryable: false, usage: this.usage }
    if (call.maxTokens !== undefined) notice('This agent can’t be told a limit of tokens; the call goes without one')
    this.sessionId = session.sessionId
    this.context.onSession(session.sessionId)
    const offersTools = about.agentCapabilities?.mcpCapabilities?.http === true
    const failed = await this.prompt(agent, promptOf(call, offersTools))
    if (failed !== null) return failed
    if (structured === null || call.schema === undefined) return this.ok(this.turn.answer)
    if (this.handedIn(call.schema) === undefined) {
      const again = await this.prompt(agent, offersTools ? REMINDER : TEXT_REMINDER)
      if (again !== null) return again
    }
    const value = this.handedIn(call.schema)
    return value === undefined ? this.withoutResult() : this.ok(value)
  }

  private async initialize(agent: ClientContext): Promise<InitializeResponse> {
    const late = new AbortController()
    const tooLate = wait(START_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error(
        `It did not answer in the Agent Client Protocol within ${START_MS / 1000} s. Does ${this.agent.file} speak it with these arguments?`,
      )
    })
    const answer = agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'reprise', version: VERSION },
    })
    const about = await Promise.race([answer, tooLate]).finally(() => {
      late.abort()
      tooLate.catch(() => {})
    })
    const { known, authMethod } = this.agent
    const byKey = known.auth.find(({ method, variable }) => this.context.env[variable] !== undefined && offers(about, method))
    const methodId = authMethod ?? byKey?.method
    if (methodId !== undefined) await agent.request(methods.agent.authenticate, { methodId })
    return about
  }

  private async openSession(agent: ClientContext, about: InitializeResponse): Promise<SessionState> {
    const { call, structured } = this
    const server = structured === null || about.agentCapabilities?.mcpCapabilities?.http !== true ? null : serverOf(structured)
    const where = { cwd: call.cwd, mcpServers: server === null ? [] : [server] }
    if (call.session === undefined) return agent.request(methods.agent.session.new, where)
    if (about.agentCapabilities?.loadSession !== true) {
      this.context.onEvent({ kind: 'notice', text: 'The agent can’t go on with an earlier session; it starts anew' })
      return agent.request(methods.agent.session.new, where)
    }
    const loaded = await agent.request(methods.agent.session.load, { ...where, sessionId: call.session }).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error
      throw new SessionGone(`The session ${call.session} can’t go on: ${error.message}. Ask again without it`)
    })
    return { ...(loaded ?? {}), sessionId: call.session }
  }

  /** Null when the agent ended its turn in order. */
  private async prompt(agent: ClientContext, text: string): Promise<AgentOutcome | null> {
    if (this.sessionId === null) throw new Error('A prompt needs a session')
    this.turn.begin()
    this.isDenied = false
    const response = await agent.request(methods.agent.session.prompt, { sessionId: this.sessionId, prompt: [{ type: 'text', text }] })
    this.turn.speech.flush()
    const usage = usageOf(response)
    if (usage === null) return saidFailure(this.turn.answer, this.agent.known.signIn, this.usage)
    this.usage = added(this.usage, usage)
    this.context.onEvent({ kind: 'usage', text: usageWords(usage) })
    if (response.stopReason === 'end_turn') return null
    // Some agents take a denied tool as the end of their turn; it is the end of that tool only.
    if (response.stopReason === 'cancelled' && this.isDenied && this.questions <= MOST_QUESTIONS) return this.prompt(agent, DENIED)
    return this.stopped(response.stopReason)
  }

  private stopped(reason: Exclude<StopReason, 'end_turn'>): AgentOutcome {
    const { usage } = this
    if (reason === 'refusal')
      return { kind: 'dead', reason: 'refused', detail: this.turn.answer || 'The agent refused to go on', retryable: false, usage }
    return { kind: 'dead', reason: 'agent-error', detail: STOPPED[reason], retryable: reason === 'cancelled', usage }
  }

  /** What came by the tool; else what the answer holds, when that has the wanted shape. */
  private handedIn(schema: Json): Json | undefined {
    const { given } = this.structured ?? { given: null }
    if (given !== null) return given.value
    const value = jsonIn(this.turn.answer)
    return value !== undefined && schemaCheck(schema)(value).ok ? value : undefined
  }

  private withoutResult(): AgentOutcome {
    const said = this.turn.answer === '' ? 'It said nothing.' : `It said: ${this.turn.answer.slice(0, 500)}`
    const detail = `The agent ended without handing in a result, also when asked again. ${said}`
    return { kind: 'dead', reason: 'schema-mismatch', detail, retryable: false, usage: this.usage }
  }

  private ok(output: Json): AgentOutcome {
    const session = this.sessionId === null ? {} : { session: this.sessionId }
    return { kind: 'ok', output, usage: this.usage, cost: this.turn.cost, ...session }
  }

  private async cancel(agent: ClientContext, ended: Promise<unknown>): Promise<void> {
    this.child.look()
    if (this.sessionId === null) return
    // It may be gone by now: that is an end too.
    await agent.notify(methods.agent.session.cancel, { sessionId: this.sessionId }).catch(() => {})
    const grace = new AbortController()
    await Promise.race([ended, wait(CANCEL_MS, undefined, { signal: grace.signal }).catch(() => {})])
    grace.abort()
  }

  private async failure(error: unknown): Promise<AgentOutcome> {
    const { signIn } = this.agent.known
    if (error instanceof SessionGone) return { ...dead(error.message, false), usage: this.usage }
    if (error instanceof RequestError) return requestFailure(error, signIn, this.usage)
    const exit = new AbortController()
    const how = await Promise.race([this.child.ended, wait(EXIT_MS, null, { signal: exit.signal }).catch(() => null)])
    exit.abort()
    const { said } = this.child
    if (how !== null)
      return saidFailure(`${this.agent.file} ${how} before it was done${said === '' ? '' : `: ${said.slice(-1500)}`}`, signIn, this.usage)
    const why = error instanceof Error ? error.message : String(error)
    return { ...dead(why, !(error instanceof BrokenMessage)), usage: this.usage }
  }
}

class SessionGone extends Error {}

const STOPPED = {
  max_tokens: 'The agent reached its limit of tokens before it was done',
  max_turn_requests: 'The agent reached its limit of requests before it was done',
  cancelled: 'The agent cancelled its own turn',
} as const satisfies Record<Exclude<StopReason, 'end_turn' | 'refusal'>, string>

const REMINDER = `You have ended without a result. Call the tool ${TOOL_NAME} of the server ${SERVER_NAME} now, with the whole result.`
const DENIED = 'The use of that tool was denied. Go on without it, as far as you can.'
const TEXT_REMINDER = 'That was no JSON of the wanted shape. Answer with the JSON value alone.'

/** Who the agent is comes first: the protocol has no place of its own for it. */
function promptOf({ instructions, prompt, schema }: AgentCall, offersTools: boolean): string {
  const parts = [...(instructions === undefined ? [] : [instructions]), prompt]
  if (schema !== undefined && offersTools) {
    parts.push(
      `When you are done, hand in the result by calling the tool ${TOOL_NAME} of the server ${SERVER_NAME} once. An answer in words is not read.`,
    )
  } else if (schema !== undefined) {
    parts.push(
      `Answer with one JSON value alone, without any words around it. It has to match this JSON Schema:\n${JSON.stringify(schema)}`,
    )
  }
  return parts.join('\n\n')
}

function serverOf({ url, token }: StructuredOutput) {
  return { type: 'http' as const, name: SERVER_NAME, url, headers: [{ name: 'Authorization', value: `Bearer ${token}` }] }
}

function offers(about: InitializeResponse, method: string): boolean {
  return (about.authMethods ?? []).some(({ id }) => id === method)
}

/** JSON as models write it: bare, or in a fence. */
function jsonIn(answer: string): Json | undefined {
  const text = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(answer)?.[1] ?? answer
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function dead(detail: string, retryable: boolean): Extract<AgentOutcome, { kind: 'dead' }> {
  return { kind: 'dead', reason: 'agent-error', detail, retryable, usage: NO_USAGE }
}
