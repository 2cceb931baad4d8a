/**
 * What the engine asks of the world. Made so that one machine and a pool of machines are two implementations: what crosses
 * is JSON (no functions, signals or local paths inside a task), and a call can be attached to again after its owner died.
 */
import type { RequestId, RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type {
  BadLine,
  DeadReason,
  JournalRecord,
  NewRecord,
  Owner,
  PauseReason,
  ResumePolicy,
  RunChoices,
  Usage,
  Value,
} from '../../shared/run/record.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import type { PreparedScript } from './source/check-script.ts'

/** `${runId}.${call}.${fp.slice(0, 8)}.${generation}`: asking twice is asking once. */
export type TaskId = string

/** What an agent is asked. `agent` is the resolved profile or agent definition, null for the run's default. */
export interface AgentRequest {
  prompt: string
  schema?: Json
  model?: string
  effort?: string
  agentType?: string
  isolation?: 'worktree'
  allowedTools?: string[]
  maxTokens?: number
  label?: string
  [key: string]: Json | undefined
}

export interface WorkspaceRef {
  id: string
}

export interface CallTask {
  id: TaskId
  runId: string
  call: number
  /** Attempt of the run in which this task was made. */
  attempt: number
  /** Rises with each new start of the call; 1 is its first. */
  generation: number
  kind: 'agent' | 'check'
  request: Json
  /** What a worker must have, e.g. `profile:shell`. */
  needs: string[]
  workspace: WorkspaceRef | null
  timeoutMs: number | null
  /** May be started again after a crash without asking anybody. */
  repeatable: boolean
  /** The backend's own session that an earlier start of this call had, when it shall go on there. */
  session?: string
}

export interface AgentEvent {
  kind: 'text' | 'thinking' | 'tool-started' | 'tool-ended' | 'plan' | 'usage' | 'notice'
  text: string
}

export interface PermissionQuestion {
  /** Names it among the questions of its task. */
  id: string
  tool: string
  title: string
  input: Json
}

/** How one task ended. `quota` and `auth` are no result: the run pauses and the call is asked again on resume. */
export type Outcome =
  | { kind: 'ok'; output: Value; usage: Usage; cost: number | null; backend: string }
  | {
      kind: 'dead'
      reason: DeadReason
      detail: string
      retryable: boolean
      retryAfterMs?: number
      usage: Usage
      cost: number | null
      backend: string
    }
  | { kind: 'halt'; reason: Extract<PauseReason, 'quota' | 'auth'>; detail: string; resetAt?: string; backend: string }
  | { kind: 'cancelled' }

export type PermissionAnswer = 'allow-once' | 'allow-always' | 'deny'

export type ToTask = { t: 'cancel' } | { t: 'answer'; question: string; answer: PermissionAnswer }

export interface TaskListener {
  /** Told once when the work begins, and once more when the backend has named its session. `streams`: silence of it means something. */
  started(info: { worker: string; session?: string; streams?: boolean }): void
  event(event: AgentEvent): void
  asked(question: PermissionQuestion): void
  /** A question is not open any more: somebody answered it, or its time was over. */
  answered(question: string, answer: PermissionAnswer): void
  ended(outcome: Outcome): void
}

export interface CallExecutor {
  /** How many calls may run at once here. */
  readonly slots: number
  readonly outlivesOwner: boolean
  /** The agent that would take a request, when it does fewer calls at once than there are slots. */
  lane?(request: Json): { name: string; slots: number } | null
  /** Called after the tasks' `call` and `started` records are durable. */
  accept(tasks: CallTask[]): Promise<void>
  attach(id: TaskId, on: TaskListener): { tell(message: ToTask): Promise<void> }
}

/** `run.json`: written once when a run is made. */
export interface NewRun {
  runId: RunId
  title: string
  source: { kind: 'file' | 'named'; path: string; name: string | null; sha256: string; ext: 'ts' | 'js' | 'mjs' }
  /** Absent: the script sees `undefined`. */
  args?: Json
  project: string
  workspace: 'current' | 'worktree'
  git: { head: string; branch: string | null } | null
  limits: RunLimits
  /** Seed of `random()` and `uuid()`. */
  seed: string
  engine: string
  /** Default agent. */
  backend: string | null
  choices?: RunChoices
  policy: ResumePolicy
  /** The text that runs first. */
  text: string
}

export interface RunLimits {
  concurrency: number
  maxAgents: number
  /** Output tokens; null = no limit. */
  budget: number | null
  /** US dollars; null = no limit. */
  maxCost: number | null
  /** Silence after which a streaming agent is taken as stuck, in milliseconds of work; null = never. */
  stallMs: number | null
}

/** `run.json` as read: the text lies in `source/`. */
export type RunInfo = Omit<NewRun, 'text'> & {
  number: number
  requestId: string
  createdAt: number
  /** Of a run that came in by import: attempts up to this one were made elsewhere, so nobody here has trusted their texts. */
  imported?: { attempts: number }
  /** Secrets were taken out of it: it can be looked at, and never goes on. */
  redacted?: true
}

export interface Attempt {
  owner: Owner
  script: { sha256: string; text: string; ext: 'ts' | 'js' | 'mjs' }
  args?: Json
  engine: string
  policy: ResumePolicy
  from?: number
  backend: string | null
  choices?: RunChoices
}

/** How a script names a workflow that it calls. */
export type ChildReference = { name: string } | { scriptPath: string }

/** The text of a workflow that a script calls: read, checked and allowed to run. */
export interface ChildText {
  prepared: PreparedScript
  sha256: string
  text: string
  ext: 'ts' | 'js' | 'mjs'
}

/**
 * Reads a child as it is on disk now. When it is gone, `kept` (the text that this run opened before) is what runs.
 * @throws AppError why it can't run, with its file, line and column where it has them
 */
export type LoadChild = (reference: ChildReference, kept: { sha256: string; ext: string } | null) => Promise<ChildText>

export interface RunStore {
  /** Makes the run whole on disk, with the record of attempt 1, or returns the run that this request already made. */
  create(run: NewRun, requestId: RequestId, owner: Owner): Promise<{ runId: RunId; number: number; token: string; existed: boolean }>
  /** Takes attempt 1 that `create` made for this owner. */
  adopt(runId: RunId, token: string): Promise<OpenRun>
  /** Adds the next attempt when the last one's owner is dead or has ended; the first record of an attempt owns it. */
  open(runId: RunId, attempt: Attempt): Promise<OpenRun | { heldBy: Owner }>
  /** Events after `after`, then new ones as they are written, until the signal. */
  feed(runId: RunId, after: number, signal: AbortSignal): AsyncIterable<RunEvent[]>
  list(query: RunQuery): Promise<RunPage>
  read(runId: RunId): Promise<RunRead>
}

export interface RunQuery {
  status?: readonly string[]
  workflow?: string
  text?: string
  offset?: number
  limit: number
}

export interface RunPage {
  runs: RunSummary[]
  total: number
}

/** One run read from disk, whoever owns it. */
export interface RunRead {
  info: RunInfo
  records: JournalRecord[]
  badLines: BadLine[]
  view: RunView
  /** The last attempt's owner, and whether that process lives. */
  owner: Owner
  ownerAlive: boolean
}

export interface OpenRun {
  readonly runId: RunId
  readonly attempt: number
  readonly token: string
  readonly info: RunInfo
  /** Every usable record up to and with this attempt's own, in order, unreadable values marked; and the lines that could not be used. */
  history(): Promise<{ records: JournalRecord[]; badLines: BadLine[] }>
  /**
   * Appends records, in order. Attempts, results, commands and ends are durable when this resolves; `call` and `started`
   * records only reach the file, unless `sync` asks for more (before a process is spawned that can't be started twice).
   * @throws AppError `fenced` (another owner took over), `disk-full`, `no-permission`: nothing of it counts as saved.
   */
  append(records: NewRecord[], options?: { sync?: boolean }): Promise<JournalRecord[]>
  /** Stores a value of any size; over 64 KB in a payload file, durable before this resolves. */
  put(value: Json): Promise<Value>
  get(value: Value): Promise<Json>
  /** Keeps a text that ran (`source/`), once. */
  keepSource(text: string, ext: string): Promise<{ sha256: string; file: string }>
  /** Adds events to the stream (unsynced) and refreshes the cached view at most once a second. */
  publish(events: RunEvent[], view: RunView): void
  /** Adds a line to the transcript of a call (unsynced). */
  transcript(call: number, line: { attempt: number; generation: number; kind: string; text: string }): void
  /** Remembers a child process, so that the next start can end it when this owner dies. */
  child(entry: { pid: number; startTime: number; call: number }): void
  /** Writes the final view and index row and closes the files. */
  release(view: RunView): Promise<void>
}

export type Command =
  | { kind: 'stop' }
  | { kind: 'pause' }
  | { kind: 'skip'; call: number }
  | { kind: 'retry'; call: number }
  /** `seen`: hash of the text that the person read, where the gate shows one. */
  | { kind: 'decide'; call: number; choice: string; note?: string; seen?: string }
  | { kind: 'answer'; question: string; answer: PermissionAnswer }

export interface CommandEntry {
  id: string
  by: string
  body: Command
}

/** What the owner made of a command. `stale`: there is nothing any more to do it to. `unseen`: the person chose for another text. */
export type CommandOutcome = 'accepted' | 'stale' | 'unseen'

export interface RunInbox {
  /** Hands a command to the owner of a run, in whatever process, and waits for its outcome. */
  post(runId: RunId, entry: CommandEntry, waitMs: number): Promise<CommandOutcome | 'repeated' | 'ended' | 'no-answer'>
  /** The owner's side: commands in name order, until the signal. Journal the outcome, then `done`. */
  take(runId: RunId, signal: AbortSignal): AsyncIterable<CommandEntry & { done(): Promise<void> }>
}

export interface Workspaces {
  snapshot(project: string): Promise<WorkspaceRef>
  checkout(workspace: WorkspaceRef, id: TaskId): Promise<{ cwd: string; collect(): Promise<Json>; release(): Promise<void> }>
}

/** On the worker's side: tasks and journals carry names, never values. */
export interface Secrets {
  env(profile: string): Promise<Record<string, string>>
}

export interface Clock {
  now(): number
  after(ms: number, signal: AbortSignal): Promise<void>
}
