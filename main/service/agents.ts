/** The agents of this machine for people: which there are, whether their programs are found and answer, and one tiny call. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentInfo, AgentTest, Profile } from '../../shared/contract/agents.ts'
import { AppError } from '../../shared/errors.ts'
import type { AgentRunner, BackendState } from '../agents/agent-runner.ts'
import { Catalog } from '../agents/catalog.ts'
import { childEnvironment } from '../agents/child-environment.ts'
import { runCommand } from '../agents/command.ts'
import { keptLoginPath } from '../agents/login-path.ts'
import { makeRunner } from '../agents/make-runner.ts'
import { passedVariables } from '../agents/passed-variables.ts'
import { BUILT_IN, defaultConcurrency, modelNames, programOf, type SourcedProfile } from '../agents/profiles.ts'
import { Programs } from '../agents/programs.ts'
import { agentRunners } from '../agents/runners.ts'
import { readSecrets, type SecretValues } from '../agents/secret-file.ts'
import type { Outcome, Secrets } from '../engine/ports.ts'
import { LocalExecutor } from '../host/local-executor.ts'
import { DaySpending } from '../store/day-spending.ts'

/** A program that does not tell its version in this time is listed without one. */
const VERSION_MS = 8000
const TEST_MS = 60_000
const DETAIL_CHARS = 300
const TEST_PROMPT = 'Answer with the one word: ready'
const NOBODY = { runId: 'agents', call: 0 }

export interface AgentList {
  agents: AgentInfo[]
  problems: string[]
}

export interface AgentsWorld {
  project: string
  /** The app's data folder. */
  data: string
  /** Secrets that lie elsewhere than in the file of the data folder. */
  secrets: SecretValues
  isTrusted(sha256: string): boolean
}

/** By profile: the file's, and those that the app keeps elsewhere before them. */
export function secretsOf(data: string, more: SecretValues): Secrets {
  return { env: async (profile) => ({ ...(await readSecrets(data))[profile], ...more[profile] }) }
}

/** Everything that a call here may name, and the built-in agents whose programs are missing. `anew`: the login shell is asked again. */
export async function listAgents({ project, data, secrets, isTrusted }: AgentsWorld, anew = false): Promise<AgentList> {
  const programs = new Programs({ project, data })
  if (anew || (await keptLoginPath(data)) === null) await programs.ask()
  const catalog = await Catalog.read({ project, data, programs })
  const there = new Set(catalog.profiles.map(({ profile }) => profile.name))
  const missing = BUILT_IN.filter(({ name }) => !there.has(name)).map((profile) => ({ profile, source: 'built-in' as const, file: null }))
  const keys = secretsOf(data, secrets)
  const sha256 = catalog.projectFile?.sha256
  const mayStart = ({ source }: SourcedProfile): boolean => source !== 'project' || (sha256 != null && isTrusted(sha256))
  const all = [...catalog.profiles, ...missing]
  const rows = await Promise.all(all.map((one) => rowOf(one, programs, keys, { project, data, mayStart: mayStart(one) })))
  return { agents: [...rows, ...catalog.definitions.map(definitionRow)], problems: catalog.problems.map(({ message }) => message) }
}

/** One call that costs next to nothing, in an empty folder, with every permission denied. @throws AppError `agent-unknown` */
export async function testAgent(name: string, { project, data, secrets, isTrusted }: AgentsWorld): Promise<AgentTest> {
  const programs = new Programs({ project, data })
  const profile = (await Catalog.read({ project, data, programs })).profile(name)?.profile ?? BUILT_IN.find((one) => one.name === name)
  if (profile === undefined) throw new AppError('agent-unknown', `There is no agent “${name}”. List them with: reprise agents`)
  const program = programOf(profile)
  const startedAt = performance.now()
  try {
    if (program !== null) await programs.find(program)
  } catch (error) {
    return { ok: false, detail: AppError.wrap(error).message, ms: Math.round(performance.now() - startedAt) }
  }
  const cwd = await mkdtemp(join(tmpdir(), 'reprise-test-'))
  const runners = agentRunners({ project, data, defaultAgent: null, isTrusted })
  const executor = new LocalExecutor({
    cwd,
    slots: 1,
    runners,
    defaultAgent: null,
    secrets: secretsOf(data, secrets),
    spending: new DaySpending(data),
  })
  try {
    const prompt = profile.backend === 'shell' ? 'echo ready' : TEST_PROMPT
    const outcome = await askOnce(executor, { prompt, agentType: name, maxTokens: 32 })
    return { ...judged(outcome), ms: Math.round(performance.now() - startedAt) }
  } finally {
    await executor.close()
    await rm(cwd, { recursive: true, force: true })
  }
}

/** A small call needs no rights: whatever is asked is denied. */
async function askOnce(executor: LocalExecutor, request: { prompt: string; agentType: string; maxTokens: number }): Promise<Outcome> {
  const id = 'agents.test'
  const common = { runId: NOBODY.runId, call: NOBODY.call, attempt: 1, generation: 1, kind: 'agent', workspace: null } as const
  await executor.accept([{ ...common, id, request, needs: [], timeoutMs: TEST_MS, repeatable: true }])
  return new Promise((resolve) => {
    const task = executor.attach(id, {
      started: () => undefined,
      event: () => undefined,
      asked: ({ id: question }) => void task.tell({ t: 'answer', question, answer: 'deny' }),
      answered: () => undefined,
      ended: resolve,
    })
  })
}

function judged(outcome: Outcome): Pick<AgentTest, 'ok' | 'detail'> {
  if (outcome.kind === 'cancelled') return { ok: false, detail: 'It was stopped' }
  if (outcome.kind !== 'ok') return { ok: false, detail: outcome.detail }
  const answer = 'inline' in outcome.output ? outcome.output.inline : null
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return { ok: true, detail: text.trim().slice(0, DETAIL_CHARS) }
}

/** `mayStart`: looking at the agent may start its program. */
interface Place {
  project: string
  data: string
  mayStart: boolean
}

async function rowOf({ profile, source }: SourcedProfile, programs: Programs, keys: Secrets, place: Place): Promise<AgentInfo> {
  const program = programOf(profile)
  const command = program === null ? null : await programs.look(program)
  const secrets = await keys.env(profile.name)
  const env = childEnvironment(process.env, NOBODY, {
    pass: passedVariables(profile),
    set: { PATH: await programs.path(), ...profile.env, ...secrets },
  })
  const state: BackendState =
    program !== null && command === null
      ? { version: null, state: 'not-found', detail: `\`${program}\` is not found on PATH` }
      : !place.mayStart
        ? { version: null, state: 'unknown', detail: `it comes from this project, which nobody has trusted yet; a run asks for that` }
        : await stateOf(profile, command, env, programs, place)
  return {
    name: profile.name,
    backend: profile.backend,
    source,
    command,
    ...state,
    permissions: profile.permissions,
    concurrency: defaultConcurrency(profile),
    models: modelNames(profile),
    hasPrices: profile.pricing !== undefined,
    secrets: Object.keys(secrets).sort(),
  }
}

/** Without spending anything: what the backend tells of itself, else the version that the program prints. */
async function stateOf(
  profile: Profile,
  command: string | null,
  env: Record<string, string>,
  programs: Programs,
  { project, data }: Place,
): Promise<BackendState> {
  const signal = AbortSignal.timeout(VERSION_MS)
  const onSpawn = (): void => undefined
  const runner = await makeRunner(profile, { project, data, executable: (usual) => programs.find(programOf(profile) ?? usual) }).catch(
    (error: unknown): AppError => AppError.wrap(error),
  )
  if (runner instanceof AppError) return { version: null, state: 'unknown', detail: runner.message }
  const told = await probed(runner, { signal, env, onSpawn })
  if (told !== null) return told
  if (command === null) return { version: null, state: 'ready', detail: null }
  if (profile.backend === 'command') return { version: null, state: 'ready', detail: null }
  const end = await runCommand({ file: command, args: ['--version'], cwd: tmpdir(), env }, { signal, onSpawn, onLine: () => undefined })
  const line = end.kind === 'exited' && end.code === 0 ? (end.stdout.text.trim().split('\n')[0] ?? '') : ''
  return { version: line === '' ? null : line.slice(0, 80), state: line === '' ? 'unknown' : 'ready', detail: null }
}

async function probed(runner: AgentRunner, context: Parameters<NonNullable<AgentRunner['probe']>>[0]): Promise<BackendState | null> {
  try {
    return (await runner.probe?.(context)) ?? null
  } catch (error) {
    return { version: null, state: 'unknown', detail: AppError.wrap(error).message }
  } finally {
    await runner.close?.()
  }
}

function definitionRow({ name, description }: Catalog['definitions'][number]): AgentInfo {
  return {
    ...{ name, backend: null, source: 'definition', command: null, version: null, state: 'ready', detail: description },
    ...{ permissions: 'ask', concurrency: 16, models: [], hasPrices: false, secrets: [] },
  }
}
