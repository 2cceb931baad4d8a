/**
 * Agents as people set them up: a profile says which program or endpoint answers, what it may do and what it costs. The same
 * shape lies in `settings.json`, in a project's `.claude/reprise.json`, and crosses the bridge.
 *
 * To add a backend: its name in `BACKENDS`, its own options as one object here, its folder `main/agents/<backend>/` with a
 * `make<Backend>Runner`, and one line in `main/agents/make-runner.ts`.
 */
import * as z from 'zod'
import { Done, method, Nothing } from './method.ts'

export const BACKENDS = ['shell', 'simulated', 'command', 'claude', 'codex', 'acp', 'api'] as const
export type Backend = (typeof BACKENDS)[number]

/**
 * What an agent may do with its tools. `ask`: each use is put to a person. `allow-listed`: what `allowedTools` names is allowed,
 * everything else is denied without asking. `full`: everything is allowed.
 */
export const PERMISSION_MODES = ['ask', 'allow-listed', 'full'] as const
export const PermissionMode = z.enum(PERMISSION_MODES)
export type PermissionMode = z.infer<typeof PermissionMode>

const text = z.string().min(1)
const dollars = z.number().nonnegative()
const tokensPattern = text.refine(isPattern, 'is no regular expression').exactOptional()

/** US dollars for a million tokens. `inputPerMillion` is also the price of cached input when that has none of its own. */
export const Pricing = z.strictObject({
  inputPerMillion: dollars,
  cachedInputPerMillion: dollars.exactOptional(),
  outputPerMillion: dollars,
})
export type Pricing = z.infer<typeof Pricing>

/** The name of a profile, as `agentType` and `--agent` say it. */
export const ProfileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'has 1 to 64 letters, digits, dots, dashes or underscores')

const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'is no name of an environment variable')

/** What every profile may say, whatever its backend. */
const common = {
  name: ProfileName,
  /** The executable: a name looked up on the login shell's PATH, or a path. Absent: the backend's usual program. */
  command: text.exactOptional(),
  args: z.array(z.string()).exactOptional(),
  /** Variables for the agent's processes, beside the few that every child gets. Secrets don't belong here. */
  env: z.record(VariableName, z.string()).exactOptional(),
  /** Names of variables of our own environment that the agent may see too. */
  passEnv: z.array(VariableName).exactOptional(),
  /** The model of calls that name none; absent: the agent's own choice. */
  model: text.exactOptional(),
  /**
   * The models that a call may name beside those known everywhere: as the backend calls them, with `*` for any characters
   * (`gpt-*`). A pair such as `haiku=gpt-5-mini` says what one of the names known everywhere means here.
   */
  models: z.array(text).exactOptional(),
  /** The backend's own mode of working, such as a session mode of ACP; absent: the one that fits `permissions`. */
  mode: text.exactOptional(),
  permissions: PermissionMode.default('ask'),
  /** Tools that need no question; with `allow-listed` the only ones. */
  allowedTools: z.array(text).exactOptional(),
  /** Calls at once; absent: what suits the backend (`defaultConcurrency` in `main/agents/profiles.ts`). */
  concurrency: z.number().int().min(1).max(16).exactOptional(),
  pricing: Pricing.exactOptional(),
  /** US dollars that its calls of one day may cost together. Needs prices. */
  maxCostPerDay: dollars.exactOptional(),
  /** It changes nothing on the machine, so its calls may be started again after a crash without asking. */
  readOnly: z.boolean().exactOptional(),
}

/** How a failure of a program is known, by what it wrote. */
export const FailurePattern = z.strictObject({
  pattern: text.refine(isPattern, 'is no regular expression'),
  reason: z.enum(['quota', 'auth', 'rate-limited', 'refused']),
})

export const CommandOptions = z.strictObject({
  /** `argument`: takes the place of `{prompt}` in `args`, or comes last. */
  input: z.enum(['stdin', 'argument']).default('stdin'),
  /** What the program writes: the answer itself, JSON that is the answer, or JSON that holds it under a path such as `result.text`. */
  output: z.union([z.enum(['text', 'json']), z.strictObject({ field: text })]).default('text'),
  /** Regular expressions whose first group is a number; searched in all that the program wrote, the last match counts. */
  usage: z
    .strictObject({
      inputTokens: tokensPattern,
      cachedInputTokens: tokensPattern,
      outputTokens: tokensPattern,
      /** US dollars. */
      cost: tokensPattern,
    })
    .exactOptional(),
  failures: z.array(FailurePattern).exactOptional(),
  /** What an exit code means, when it is no plain failure. */
  exitCodes: z.record(z.string().regex(/^\d{1,3}$/, 'is no exit code'), FailurePattern.shape.reason).exactOptional(),
})
export type CommandOptions = z.infer<typeof CommandOptions>

export const ClaudeOptions = z.strictObject({
  maxTurns: z.number().int().positive().exactOptional(),
  /** Settings, memory files and hooks of Claude Code that count; none by default. */
  settingSources: z.array(z.enum(['user', 'project', 'local'])).exactOptional(),
})
export type ClaudeOptions = z.infer<typeof ClaudeOptions>

export const CodexOptions = z.strictObject({
  sandbox: z.enum(['read-only', 'workspace-write', 'danger-full-access']).exactOptional(),
  /** Rows of its configuration, by dotted name. */
  config: z.record(text, z.json()).exactOptional(),
})
export type CodexOptions = z.infer<typeof CodexOptions>

export const AcpOptions = z.strictObject({
  /** The id of a login method of the agent, when it has to be chosen. */
  authMethod: text.exactOptional(),
  /** Settings of a session, by the agent's own ids. */
  sessionConfig: z.record(text, text).exactOptional(),
})
export type AcpOptions = z.infer<typeof AcpOptions>

export const ApiOptions = z.strictObject({
  provider: z.enum(['openai-compatible', 'anthropic']),
  /** Where it answers, e.g. `http://127.0.0.1:11434/v1`; absent: the provider's own address. */
  baseUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
  /** Name of the secret that holds the key; absent: no key is sent. */
  keyName: VariableName.exactOptional(),
  headers: z.record(text, z.string()).exactOptional(),
})
export type ApiOptions = z.infer<typeof ApiOptions>

/** One agent. `options` are its backend's own. */
export const Profile = z.discriminatedUnion('backend', [
  z.strictObject({ ...common, backend: z.literal('shell') }),
  z.strictObject({ ...common, backend: z.literal('simulated') }),
  z.strictObject({ ...common, backend: z.literal('command'), command: text, options: CommandOptions.prefault({}) }),
  z.strictObject({ ...common, backend: z.literal('claude'), options: ClaudeOptions.prefault({}) }),
  z.strictObject({ ...common, backend: z.literal('codex'), options: CodexOptions.prefault({}) }),
  z.strictObject({ ...common, backend: z.literal('acp'), command: text, options: AcpOptions.prefault({}) }),
  z.strictObject({ ...common, backend: z.literal('api'), model: text, options: ApiOptions }),
])
export type Profile = z.infer<typeof Profile>
/** A profile of one backend, e.g. `ProfileOf<'acp'>`. */
export type ProfileOf<B extends Backend> = Extract<Profile, { backend: B }>

/** Where a profile comes from: the program itself, the person's settings, the project's file, or `.claude/agents/*.md`. */
export const AGENT_SOURCES = ['built-in', 'user', 'project', 'definition'] as const

/** One row of `reprise agents` and of Settings. */
export const AgentInfo = z.object({
  name: z.string(),
  backend: z.enum(BACKENDS).nullable(),
  source: z.enum(AGENT_SOURCES),
  /** The program that would be started, as found; null when there is none. */
  command: z.string().nullable(),
  version: z.string().nullable(),
  state: z.enum(['ready', 'not-found', 'signed-out', 'unknown']),
  /** A sentence: what is missing, or what to do next. */
  detail: z.string().nullable(),
  permissions: PermissionMode,
  concurrency: z.number().int(),
  models: z.array(z.string()),
  hasPrices: z.boolean(),
  /** Names of the secrets that are set for it; never their values. */
  secrets: z.array(z.string()),
})
export type AgentInfo = z.infer<typeof AgentInfo>

/** How one tiny call went. `detail`: the beginning of the answer, or what went wrong and what to do. */
export const AgentTest = z.object({ ok: z.boolean(), detail: z.string(), ms: z.number() })
export type AgentTest = z.infer<typeof AgentTest>

/** US dollars that all agents of this person have cost today, and what they may cost a day here; null for no limit. */
export const Today = z.object({ cost: z.number(), limit: z.number().nullable() })
export type Today = z.infer<typeof Today>

/** Every agent that a call in the open project may name. `problems`: files of profiles that can't be used, each a sentence. */
export const list = method('agents.list', {
  input: Nothing,
  output: z.object({ agents: z.array(AgentInfo), problems: z.array(z.string()) }),
})
export const today = method('agents.today', { input: Nothing, output: Today })
/** One call that costs next to nothing. */
export const test = method('agents.test', { input: z.object({ name: z.string().min(1) }), output: AgentTest })
/** Adds or replaces a profile of the person's settings. */
export const save = method('agents.save', { input: z.object({ profile: Profile }), output: Done })
export const remove = method('agents.remove', { input: z.object({ name: ProfileName }), output: Done })
/** Keeps a secret for a profile, or forgets it with null. It can't be read back. */
export const setSecret = method('agents.setSecret', {
  input: z.object({ profile: ProfileName, name: VariableName, value: z.string().min(1).max(16_384).nullable() }),
  output: Done,
})

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
