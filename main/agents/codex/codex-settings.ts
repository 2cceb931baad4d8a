/** How Codex is started and what a thread of it may do, by the profile and the call. */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import type { AgentCall } from '../agent-runner.ts'
import { marksOf } from '../child-environment.ts'
import type { ApprovalPolicy, SandboxMode, ThreadSettings } from './protocol.ts'

/** Nothing but the work goes over the network, no process of its own is left for later, and no agents work where nobody sees them. */
const QUIET: Readonly<Record<string, Json>> = {
  'analytics.enabled': false,
  check_for_update_on_startup: false,
  'features.apps': false,
  'features.multi_agent': false,
  'features.plugins': false,
}
const POLICIES: readonly ApprovalPolicy[] = ['untrusted', 'on-request', 'never']
/** From the narrowest to the widest. */
const SANDBOXES: readonly SandboxMode[] = ['read-only', 'workspace-write', 'danger-full-access']

export function serverArguments(profile: ProfileOf<'codex'>): string[] {
  const rows = Object.entries({ ...QUIET, ...profile.options.config })
  return [...rows.flatMap(([name, value]) => ['-c', `${name}=${toml(value)}`]), ...(profile.args ?? []), 'app-server']
}

/**
 * `ask` and `allow-listed` let the sandbox write in the workspace and put everything but plain reading to us; `full` asks nobody
 * and has no sandbox; a call that may only look has one that refuses every change.
 */
export function threadSettings(profile: ProfileOf<'codex'>, call: AgentCall): ThreadSettings & { problems: string[] } {
  const problems: string[] = []
  const isFull = call.permissions === 'full' && !call.readOnly
  const usual: ApprovalPolicy = isFull || call.readOnly ? 'never' : 'untrusted'
  const wished = POLICIES.find((policy) => policy === profile.mode)
  if (profile.mode !== undefined && wished === undefined) problems.push(`Codex knows no mode “${profile.mode}”; it uses “${usual}”`)
  const isTooFree = wished === 'never' && usual !== 'never'
  if (isTooFree) problems.push('The mode “never” needs a profile with all permissions; everything but reading is asked for')
  const sandbox = call.readOnly ? 'read-only' : (profile.options.sandbox ?? (isFull ? 'danger-full-access' : 'workspace-write'))
  const approvalPolicy = call.readOnly || wished === undefined || isTooFree ? usual : wished
  if (call.maxTokens !== undefined) problems.push('Codex can’t be told a limit of tokens; the call goes without one')
  return {
    ...(call.model !== undefined && { model: call.model }),
    ...{ cwd: call.cwd, approvalPolicy, sandbox: narrower(sandbox, isFull ? 'danger-full-access' : 'workspace-write') },
    ...(call.instructions !== undefined && { developerInstructions: call.instructions }),
    // Its commands carry the names of the run, the call and the project, so that none of them is lost.
    config: { 'shell_environment_policy.set': marksOf(call), ...toolSwitches(call) },
    problems,
  }
}

function narrower(a: SandboxMode, b: SandboxMode): SandboxMode {
  return SANDBOXES.indexOf(a) < SANDBOXES.indexOf(b) ? a : b
}

/** A call without a shell among its tools has none: Codex then works with its other tools. */
function toolSwitches({ allowedTools }: AgentCall): Record<string, Json> {
  if (allowedTools === undefined) return {}
  return {
    ...(mentioned(allowedTools, [...SHELL_NAMES, ...READ_NAMES]) === undefined && {
      'features.shell_tool': false,
      'features.unified_exec': false,
    }),
    ...(mentioned(allowedTools, SEARCH_NAMES) === undefined && { web_search: 'disabled' }),
  }
}

/** Names that scripts, written for several agents, give to the same tools. */
export const SHELL_NAMES: readonly string[] = ['shell', 'bash', 'exec_command']
export const PATCH_NAMES: readonly string[] = ['apply_patch', 'edit', 'write', 'multiedit']
const SEARCH_NAMES: readonly string[] = ['web_search', 'websearch']
/** Codex reads with its shell. */
const READ_NAMES: readonly string[] = ['read', 'grep', 'glob', 'ls']

/** The first of `allowedTools` that stands for one of these, without what a rule says besides. */
export function mentioned(allowedTools: readonly string[], names: readonly string[]): string | undefined {
  return allowedTools.map((rule) => rule.replace(/\(.*$/s, '').trim()).find((name) => names.includes(name.toLowerCase()))
}

/** A value as Codex's configuration file would say it. JSON's texts, numbers and lists are its own. */
function toml(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)} = ${toml(member)}`)
    .join(', ')}}`
}
