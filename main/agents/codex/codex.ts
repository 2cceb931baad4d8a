/**
 * The `codex` backend: the person's own Codex as a server. One process works for all calls of a profile; it is started for the
 * first of them, started again when it died, and ended when nobody has used it for a while or the run ends.
 */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner, BackendState, RunnerDeps } from '../agent-runner.ts'
import { notStarted } from '../model-failure.ts'
import { type ProbeContext, versionOf } from '../program-probe.ts'
import { AppServer } from './app-server.ts'
import { CodexCall } from './codex-call.ts'
import { SIGN_IN, signedOut } from './codex-outcome.ts'
import { serverArguments, threadSettings } from './codex-settings.ts'

/** Without a call for so long, its process ends. */
const IDLE_MS = 30_000

export function makeCodexRunner(profile: ProfileOf<'codex'>, deps: RunnerDeps): AgentRunner {
  return new CodexRunner(profile, deps)
}

class CodexRunner implements AgentRunner {
  readonly backend = 'codex'
  readonly streams = true
  readonly continues = true
  private readonly profile: ProfileOf<'codex'>
  private readonly deps: RunnerDeps
  private starting: Promise<AppServer> | null = null
  private users = 0
  private idle: NodeJS.Timeout | undefined

  constructor(profile: ProfileOf<'codex'>, deps: RunnerDeps) {
    this.profile = profile
    this.deps = deps
  }

  async probe(context: ProbeContext): Promise<BackendState> {
    const version = await versionOf(await this.deps.executable('codex'), context)
    const server = await this.start(context)
    try {
      const isSignedIn = await signedIn(server)
      return { version, state: isSignedIn ? 'ready' : 'signed-out', detail: isSignedIn ? null : `${SIGN_IN}.` }
    } finally {
      await server.end()
    }
  }

  async run(call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
    if (context.signal.aborted) return { kind: 'cancelled' }
    clearTimeout(this.idle)
    this.users += 1
    try {
      return await this.work(call, context)
    } catch (error) {
      return notStarted(error)
    } finally {
      this.users -= 1
      if (this.users === 0) this.idle = setTimeout(() => void this.end(), IDLE_MS).unref()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle)
    await this.end()
  }

  private async work(call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
    const { signal } = context
    const aborted = new Promise<'aborted'>((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }))
    const server = await this.server(context)
    const isSignedIn = await Promise.race([signedIn(server), aborted])
    if (isSignedIn === 'aborted') return { kind: 'cancelled' }
    // Without an account it would try for minutes.
    if (!isSignedIn) return signedOut()
    return new CodexCall(server, call, context).outcome(threadSettings(this.profile, call))
  }

  /** The one that runs, or a new one. Whoever comes while it starts waits for the same. */
  private server(context: AgentContext): Promise<AppServer> {
    if (this.starting !== null) return this.starting
    const starting = this.start(context)
    const forget = (): void => {
      if (this.starting === starting) this.starting = null
    }
    this.starting = starting
    starting.then((server) => server.ended.then(forget), forget)
    return starting
  }

  private async start(context: ProbeContext): Promise<AppServer> {
    const file = await this.deps.executable('codex')
    // It works for many calls: only its commands carry the name of one.
    const { REPRISE_CALL: _, ...env } = context.env
    const command = { file, args: serverArguments(this.profile), cwd: this.deps.project, env }
    return new AppServer(command, (self) => context.onSpawn(self))
  }

  private async end(): Promise<void> {
    const { starting } = this
    this.starting = null
    await (await starting?.catch(() => null))?.end()
  }
}

/** Whether somebody is, or nobody has to be. A server that does not answer is ended. */
async function signedIn(server: AppServer): Promise<boolean> {
  try {
    await server.ready
    const { account, requiresOpenaiAuth } = await server.ask('account/read', { refreshToken: false })
    return account !== null || !requiresOpenaiAuth
  } catch (error) {
    await server.end(0)
    throw error
  }
}
