/**
 * What is known of programs that speak the Agent Client Protocol, as data: how they are told to speak it, how they are kept
 * quiet, and how they are made to ask us before they touch something. Everything a profile sets itself comes first.
 */
import { basename } from 'node:path'

export interface KnownAgent {
  /** Arguments that make it speak the protocol. */
  args: readonly string[]
  /** The option that names the model, for programs that take it at the start only. */
  modelFlag?: string
  /** Set unless the profile sets it. */
  env: Readonly<Record<string, string>>
  /** Ways to sign in by a key: taken when the variable is set and the program offers the method. */
  auth: readonly { method: string; variable: string }[]
  /** The mode of a session in which it asks us before it writes or runs something. */
  mode: string | null
  /**
   * The mode in which it only looks, where the usual one lets it write unasked. A mode for planning is none: it takes away the
   * tool by which the result is handed in, too.
   */
  lookingMode: string | null
  /** What a person does when it is not signed in. */
  signIn: string
}

const UNKNOWN: KnownAgent = {
  args: [],
  env: {},
  auth: [],
  mode: null,
  lookingMode: null,
  signIn: 'Sign in with the program itself, then resume',
}

const KNOWN: Readonly<Record<string, KnownAgent>> = {
  gemini: {
    args: ['--acp', '--skip-trust'],
    modelFlag: '-m',
    // Without the second it starts itself once more, with the first process as a mere shell around it.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', NO_BROWSER: 'true' },
    auth: [{ method: 'gemini-api-key', variable: 'GEMINI_API_KEY' }],
    mode: 'default',
    lookingMode: null,
    signIn: 'Run gemini once and sign in, or save GEMINI_API_KEY for this profile, then resume',
  },
  opencode: {
    args: ['acp'],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      // Its tools run unasked unless it is told otherwise.
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit: 'ask', bash: 'ask', webfetch: 'ask' } }),
    },
    auth: [],
    mode: null,
    lookingMode: null,
    signIn: 'Run opencode auth login, then resume',
  },
  'codex-acp': {
    args: [],
    env: {},
    auth: [
      { method: 'openai-api-key', variable: 'OPENAI_API_KEY' },
      { method: 'codex-api-key', variable: 'CODEX_API_KEY' },
    ],
    // In its own default mode another model answers its questions, not the person.
    mode: 'workspace-write',
    lookingMode: 'read-only',
    signIn: 'Run codex login, then resume',
  },
  'claude-agent-acp': {
    args: [],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    auth: [],
    mode: 'default',
    lookingMode: null,
    signIn: 'Run claude once and sign in with /login, or save ANTHROPIC_API_KEY for this profile, then resume',
  },
}

/** `gemini` of `/opt/bin/gemini.js`. */
export function programName(path: string): string {
  return basename(path).replace(/\.(?:js|mjs|cjs|cmd|exe|ps1)$/i, '')
}

/** By the program's file name, or by the script's where a runtime such as node starts it. */
export function knownAgent(command: string, args: readonly string[] = []): KnownAgent {
  for (const part of [command, ...args.slice(0, 1)]) {
    const known = KNOWN[programName(part)]
    if (known !== undefined) return known
  }
  return UNKNOWN
}
