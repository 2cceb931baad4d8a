/** The `claude` backend: the person's own Claude Code, one process a call, with its tools, permissions, sessions and costs. */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner, RunnerDeps } from '../agent-runner.ts'
import { notStarted } from '../model-failure.ts'
import { askProgram, versionOf } from '../program-probe.ts'
import { ClaudeEvents } from './claude-events.ts'
import { brokenOff, outcomeOf, SIGN_IN } from './claude-outcome.ts'
import { talkByPrint } from './claude-print.ts'
import { type ClaudeQuestion, type ClaudeSdk, type ClaudeTalk, talkThroughSdk } from './claude-sdk.ts'
import { forgetSession } from './claude-sessions.ts'
import { claudeSetup } from './claude-setup.ts'
import { permissionAsker } from './claude-tools.ts'

/** For an end of its own after the answer; what it left in the background is ended then. */
const LEAVE_MS = 1000

export function makeClaudeRunner(profile: ProfileOf<'claude'>, deps: RunnerDeps): AgentRunner {
  return claudeRunner(profile, deps, loadSdk)
}

/** @param load gives the SDK, or null where it can't be loaded */
export function claudeRunner(profile: ProfileOf<'claude'>, deps: RunnerDeps, load: () => Promise<ClaudeSdk | null>): AgentRunner {
  return {
    backend: 'claude',
    streams: true,
    continues: true,
    async probe(context) {
      const file = await deps.executable('claude')
      const version = await versionOf(file, context)
      const status = await askProgram(file, ['auth', 'status'], context)
      // Older versions don't tell, and tell that they don't understand.
      if (/"loggedIn":\s*false/.test(status?.text ?? '')) return { version, state: 'signed-out', detail: `${SIGN_IN}.` }
      return { version, state: status?.isOk === true ? 'ready' : 'unknown', detail: null }
    },
    async run(call, context) {
      if (context.signal.aborted) return { kind: 'cancelled' }
      try {
        const file = await deps.executable('claude')
        return await runCall(profile, call, context, file, await load())
      } catch (error) {
        return notStarted(error)
      }
    },
  }
}

async function loadSdk(): Promise<ClaudeSdk | null> {
  try {
    return await import('@anthropic-ai/claude-agent-sdk')
  } catch {
    return null
  }
}

async function runCall(
  profile: ProfileOf<'claude'>,
  call: AgentCall,
  context: AgentContext,
  file: string,
  sdk: ClaudeSdk | null,
): Promise<AgentOutcome> {
  const events = new ClaudeEvents(
    (event) => context.onEvent(event),
    (id) => context.onSession(id),
  )
  const { problems, ...setup } = claudeSetup(profile, call, context.env)
  for (const problem of problems) events.speech.notice(problem)
  const question: ClaudeQuestion = {
    ...{ prompt: call.prompt, schema: schemaOf(call.schema), file, args: profile.args ?? [], setup },
    onSpawn: (self) => context.onSpawn(self),
    onPermission: permissionAsker(call, context),
  }
  if (sdk === null)
    events.speech.notice('The SDK of Claude Code can’t be loaded here: what needs a permission can’t be asked and is denied')
  const talk = sdk === null ? talkByPrint(question, call.permissions === 'full') : talkThroughSdk(sdk, question)
  const outcome = await listen(talk, events, call, context.signal)
  if (outcome.kind === 'ok' && events.session !== null) await forgetSession(events.session, setup.env)
  return outcome
}

async function listen(talk: ClaudeTalk, events: ClaudeEvents, call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> {
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
  const told = readAll(talk, events)
  const problem = await Promise.race([told, aborted])
  const child = talk.child()
  if (problem === 'aborted') {
    await child?.end()
    // The messages end with the process; an SDK that waits for more has nothing to tell.
    void told
    events.speech.flush()
    return { kind: 'cancelled' }
  }
  await child?.end(LEAVE_MS)
  if (events.result !== null) return outcomeOf(events.result, events, call.schema !== undefined)
  const words = [problem ?? `Claude Code ${(await child?.ended) ?? 'ended'} without an answer`, child?.said ?? ''].filter(
    (text) => text !== '',
  )
  return brokenOff(words.join('\n'))
}

/** Reads up to the result, and gives what went wrong before it. A failed call throws after its result: that says nothing more. */
async function readAll(talk: ClaudeTalk, events: ClaudeEvents): Promise<string | null> {
  try {
    for await (const message of talk.messages) {
      events.take(message)
      if (events.result !== null) break
    }
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    events.speech.flush()
  }
}

/** The SDK takes objects only; `true` as a schema asks for nothing. */
function schemaOf(schema: Json | undefined): Record<string, unknown> | undefined {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : undefined
}
