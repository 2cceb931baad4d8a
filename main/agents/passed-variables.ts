/** Which variables of the person's environment an agent sees: what its program documents for signing in and for its set-up, and what its profile adds. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Profile } from '../../shared/contract/agents.ts'
import { programName } from './acp/known-agents.ts'

/** Variables that network programs need everywhere. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']

const CLAUDE = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS', 'CLAUDE_CONFIG_DIR'],
  ...['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'IS_SANDBOX', 'CLAUDE_CODE_USE_BEDROCK', 'AWS_REGION', 'AWS_PROFILE'],
  ...['AWS_BEARER_TOKEN_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION'],
]
const CODEX = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'CODEX_API_KEY']

/** By program, for those that are spoken with by one protocol. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  gemini: [
    ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
    ...['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_CLI_HOME'],
  ],
  opencode: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
  'claude-agent-acp': CLAUDE,
  'codex-acp': CODEX,
}

/** Names of the variables that agents of this profile may see beside those that every child gets. */
export function passedVariables(profile: Profile): string[] {
  return [...new Set([...usualVariables(profile), ...(profile.passEnv ?? [])])]
}

function usualVariables(profile: Profile): readonly string[] {
  switch (profile.backend) {
    case 'claude':
      return [...CLAUDE, ...NETWORK]
    case 'codex':
      return [...CODEX, ...NETWORK]
    case 'acp':
      // A runtime such as node may start the program's script.
      return [...[profile.command, ...(profile.args ?? []).slice(0, 1)].flatMap((part) => PROGRAMS[programName(part)] ?? []), ...NETWORK]
    // A key of an API is one of its profile's secrets; any other program is told by its profile what it needs.
    case 'api':
    case 'command':
    case 'shell':
    case 'simulated':
      return []
    default:
      return assertNever(profile)
  }
}
