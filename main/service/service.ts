/**
 * What a window, a terminal or another program can ask of Reprise: launch, resume, plan, stop, list, show. Joins engine,
 * store and agents; the command line and the IPC handlers are thin over this.
 */
import type { AgentTest, PermissionMode, Today } from '../../shared/contract/agents.ts'
import type { Worktree } from '../../shared/contract/worktrees.ts'
import type { RequestId, RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { DryRun } from '../../shared/run/dry-run.ts'
import type { PhaseMeta, RunEvent, WhyLive } from '../../shared/run/events.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import type { CallResult, ResumePolicy, Usage } from '../../shared/run/record.ts'
import type { TranscriptPage, TranscriptQuery } from '../../shared/run/transcript.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import type { PermissionAnswer, RunPage, RunQuery } from '../engine/ports.ts'
import type { Diagnostic, ScriptUses } from '../engine/source/check-script.ts'
import type { Exported, ExportOptions } from '../store/bundle-export.ts'
import type { Imported } from '../store/bundle-import.ts'
import type { Finding } from '../store/examine-run.ts'
import type { Pruned, PruneOptions } from '../store/retention.ts'
import type { AgentList } from './agents.ts'

/** What to run: a file, or the name of a workflow of the project or the user. */
export type Target = { path: string } | { name: string }

/** A workflow that a script calls, or the project's file of agents: a text that is trusted together with the script. */
export interface CalledWorkflow {
  name: string
  path: string
  sha256: string
  trustNeeded: string | null
}

export interface Preflight {
  path: string
  name: string | null
  text: string
  sha256: string
  title: string
  description: string | null
  /** When the script says it is the right one; absent when it says nothing. */
  whenToUse?: string
  phases: PhaseMeta[]
  diagnostics: Diagnostic[]
  uses: ScriptUses
  /** The first text, its own or that of a workflow that it names, that leaves the agent of a call to the person; null when none does. */
  agentLeftBy: string | null
  /** The workflows that it names literally, as far as they can be read; trusting the text is trusting them as they are now. */
  children: CalledWorkflow[]
  /** Why the person must trust this text or a child first; null when they can't touch the machine or are trusted already. */
  trustNeeded: string | null
}

export interface LaunchOptions {
  project: string
  requestId: RequestId
  /** Hash of the text that the person saw; another one on disk is refused with `changed-since-you-looked`. */
  seenSha256?: string
  /** Absent: `args` is `undefined` in the script. */
  args?: Json
  title?: string
  budget?: number
  /** US dollars that the run may spend in all. */
  maxCost?: number
  /** Silence after which an agent that tells what it does is taken as stuck, in milliseconds; null for never. */
  stallMs?: number | null
  concurrency?: number
  maxAgents?: number
  /** Default agent: a profile's name, or `simulated` for a run in which nothing real is started. */
  agent?: string
  /** Model of calls that name none, and how free agents are, over what their profiles say. */
  model?: string
  permissions?: PermissionMode
  /** `worktree`: the whole run works in a git worktree of its own, from the commit that the project stands on. By default it does not. */
  workspace?: 'current' | 'worktree'
  /** `leave`: with nobody to answer, the attempt ends as waiting when only a gate or a long wait is left. By default it stays. */
  whenWaiting?: 'stay' | 'leave'
  /** Simulated agents and no run on disk: gates take their first choice, sleeps end at once. */
  dryRun?: boolean
}

/** A dry run has no request of its own and no place on disk. */
export type DryRunOptions = Omit<LaunchOptions, 'requestId' | 'dryRun' | 'title' | 'workspace' | 'whenWaiting'>

export interface ResumeOptions {
  project: string
  policy?: ResumePolicy
  from?: number
  /**
   * What to do with calls that were running when the owner died and are not repeatable by themselves. `continue`: their agents go
   * on with the sessions that they had, where they can; the others are repeated.
   */
  inFlight?: 'repeat' | 'skip' | 'stop' | 'continue'
  /** Other input than before; present means given. */
  args?: Json
  /** Another file than the one that ran before. */
  file?: string
  budget?: number
  /** US dollars that the run may spend in all. */
  maxCost?: number
  /** Silence after which an agent that tells what it does is taken as stuck, in milliseconds; null for never. */
  stallMs?: number | null
  concurrency?: number
  agent?: string
  model?: string
  permissions?: PermissionMode
  /** `leave`: with nobody to answer, the attempt ends as waiting when only a gate or a long wait is left. By default it stays. */
  whenWaiting?: 'stay' | 'leave'
}

export interface LiveRun {
  readonly runId: RunId
  readonly number: number
  /** True when this request had already made the run: nothing was started. */
  readonly existed: boolean
  /** Events from the first one on; returns its unsubscribe. */
  onEvent(listener: (event: RunEvent) => void): () => void
  /** Resolves with the final view when the attempt has ended and everything is on disk. */
  readonly done: Promise<RunView>
  /** `keep` ends running calls and saves what is finished; `now` kills at once. */
  stop(how: 'keep' | 'now'): void
  /** Starts nothing new and ends the attempt as paused when running calls have finished and are saved. */
  pause(): void
}

/** Everything known of one call, for `show --call` and the inspector. */
export interface CallDetail {
  callId: number
  kind: string
  label: string | null
  phase: string | null
  fp: string
  params: Json
  result: CallResult | null
  /** The output in full, when the result is ok. */
  output: Json | null
  usage: Usage | null
  ms: number | null
  tries: number | null
  backend: string | null
  attempt: number | null
  whyLive: WhyLive | null
  /** Of a gate that shows a file: the text as it was when the gate opened. */
  shown?: { path: string; sha256: string; text: string }
  /** The text of that file as it is now, while the gate waits and it is another one. */
  shownNow?: { sha256: string; text: string }
}

/** What a person chose at a gate. */
export interface GateChoice {
  choice: string
  note?: string
  /** Hash of the text that the person read; of another one than the file's the choice is refused with `gate-stale`. */
  seen?: string
  /** Who, in a word or two: where the choice was made. */
  by: string
}

/**
 * `delivered`: the run's owner has it and goes on. `saved`: nobody is at work on the run; a resume goes on with it.
 * `already-decided`: an earlier decision stands.
 */
export type Decided = 'delivered' | 'saved' | 'already-decided'

/**
 * `accepted`: it is done, or under way. `ended`: the call, the question or the run is over, and stays as it is. `refused`:
 * the call stands where this can't be done. `no-answer`: the process that works on the run is silent.
 */
export type CallOutcome = 'accepted' | 'ended' | 'refused' | 'no-answer'

export type StopOutcome = 'accepted' | 'ended' | 'no-answer'

export interface Service {
  preflight(project: string, target: Target, agent: string | undefined): Promise<Preflight>
  /** Remembers that this text may touch the machine; pinned to its hash. */
  trust(sha256: string, path: string): Promise<void>
  /** @throws AppError with the codes of `shared/errors.ts`; nothing was written then. */
  launch(target: Target, options: LaunchOptions): Promise<LiveRun>
  /** Executes a script with simulated agents, saves nothing, and tells its calls. @throws AppError as `launch` does */
  dryRun(target: Target, options: DryRunOptions): Promise<DryRun>
  plan(runId: RunId, options: ResumeOptions): Promise<ResumePlan>
  resume(runId: RunId, options: ResumeOptions): Promise<LiveRun>
  /** Stops a run, also one that another process owns. */
  stop(project: string, runId: RunId): Promise<StopOutcome>
  /** Pauses a run, also one that another process owns: running calls finish and are saved. */
  pause(project: string, runId: RunId): Promise<StopOutcome>
  /** Decides a gate, also of a run that another process owns, or nobody. @throws AppError `call-unknown`, `choice-unknown`, `run-finished` */
  decide(project: string, runId: RunId, callId: number, choice: GateChoice): Promise<Decided>
  /** Takes a call as skipped, also of a run that nobody works on. @throws AppError `call-unknown` */
  skip(project: string, runId: RunId, callId: number): Promise<CallOutcome>
  /** Starts a running call again. @throws AppError `call-unknown` */
  retry(project: string, runId: RunId, callId: number): Promise<CallOutcome>
  /** Answers a question of an agent. @param by who, in a word or two */
  answer(project: string, runId: RunId, question: string, answer: PermissionAnswer, by: string): Promise<CallOutcome>
  list(project: string, query: RunQuery): Promise<RunPage>
  /** @param attempt an earlier one, as it was when it ended. @throws AppError `attempt-unknown` */
  show(project: string, runId: RunId, attempt?: number): Promise<RunView>
  /** @param attempt with the result that the call had when this attempt ended; absent: with its last one */
  call(project: string, runId: RunId, callId: number, attempt?: number): Promise<CallDetail>
  /** What the agent of a call told and was allowed, newest lines last; empty for a call without a transcript. */
  transcript(project: string, runId: RunId, callId: number, query: TranscriptQuery): Promise<TranscriptPage>
  /** The agents that calls in this project may name, with what is found of them on this machine. `anew`: the login shell is asked once more. */
  agents(project: string, anew?: boolean): Promise<AgentList>
  /** What all agents of this person have cost today, and what they may cost a day in this project. */
  today(project: string): Promise<Today>
  /** One tiny call of an agent. @throws AppError `agent-unknown` */
  testAgent(project: string, name: string): Promise<AgentTest>
  /** Keeps a secret of a profile in the data folder, readable by this user alone; forgets it with null. */
  setSecret(profile: string, name: string, value: string | null): Promise<void>
  /** The return value in full of a run or of a view of it; undefined when it has none. */
  value(project: string, run: RunView | RunId): Promise<Json | undefined>
  /** Brings a project's runs in order after a crash: ends what dead owners left running. Gives the interrupted runs. */
  reconcile(project: string): Promise<RunSummary[]>
  /** The events of a run, also of one that another process owns; with `follow` until it ends or the signal is given. */
  logs(project: string, runId: RunId, follow: AbortSignal | null): AsyncIterable<RunEvent[]>
  /** Writes a run into the file `path` (absolute). */
  export(project: string, runId: RunId, path: string, options: ExportOptions): Promise<Exported>
  /** Takes in a run from a file (absolute) that `export` wrote. */
  import(project: string, path: string): Promise<Imported>
  /** Moves old runs to the trash of the project and empties what lies there for long. */
  prune(project: string, options: PruneOptions): Promise<Pruned>
  /** What reading an unsaved text as the script of that file tells. */
  checkText(project: string, path: string, text: string): Promise<Diagnostic[]>
  /** Writes a script over the text with the hash `seen`, and over no other. */
  saveText(project: string, path: string, text: string, seen: string): Promise<{ sha256: string }>
  /** Writes a starter workflow; its path. */
  newWorkflow(project: string, name: string): Promise<string>
  /** Looks at all that lies in the project's runs folder. With `repair`, what is safe to mend is; gives what is left. */
  examine(project: string, how: 'look' | 'repair'): Promise<Finding[]>
  /** Keeps a run whatever its age, or no longer. @throws AppError `run-unknown`, `no-permission` */
  pin(project: string, runId: RunId, pinned: boolean): Promise<void>
  /** The git worktrees that the run has left, with what was changed in them. */
  worktrees(project: string, runId: RunId): Promise<Worktree[]>
  /** The changes of one as a patch; null is the worktree of the whole run. @throws AppError `worktree-unknown` */
  worktreeDiff(project: string, runId: RunId, callId: number | null): Promise<string>
  /** All of its changes into the project's own files, or none. @throws AppError `worktree-unknown`, `run-busy`, `worktree-conflict` */
  applyWorktree(project: string, runId: RunId, callId: number | null): Promise<Worktree>
  /** @throws AppError `worktree-unknown`, `run-busy` */
  discardWorktree(project: string, runId: RunId, callId: number | null): Promise<Worktree>
  /** Folders of runs that a person wants to be rid of. @throws AppError `run-busy`, `run-pinned`, `run-unknown` for the first that stays */
  removable(project: string, runIds: readonly RunId[]): Promise<{ runId: RunId; folder: string }[]>
  /** Ended runs beyond the newest `keep`, oldest first, which may go. */
  outdated(project: string, keep: number): Promise<RunId[]>
  /** `<run>` as people write it: an id, a unique beginning of one, `#n`, `n`, or `last`. */
  resolveRun(project: string, reference: string): Promise<RunId>
}
