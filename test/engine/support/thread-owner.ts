/** One attempt as a run host makes it, in this thread: a real store, real agents, a program in the place of a script. */
import type { ProcessId } from '../../../main/agents/process-tree.ts'
import { agentRunners } from '../../../main/agents/runners.ts'
import { Attempt, type AttemptOptions } from '../../../main/engine/attempt.ts'
import type { Clock, OpenRun } from '../../../main/engine/ports.ts'
import { LocalExecutor } from '../../../main/host/local-executor.ts'
import { systemClock } from '../../../main/host/system-clock.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { inThisThread, loadFrom, type Program, SCRIPT } from './memory-attempt.ts'

/** Waits of minutes are cut to what a test can wait for; their order stays. */
const LONGEST_MS = 15
const clock: Clock = { now: Date.now, after: (ms, signal) => systemClock.after(Math.min(ms, LONGEST_MS), signal) }

export interface Programs {
  main: Program
  /** The workflow `part`. */
  part: Program
}

export interface OwnerOptions {
  project: string
  run: OpenRun
  programs: Programs
  earlier?: RunView | null
  agent: string
  onChild?(child: ProcessId): void
  readFile?: AttemptOptions['readFile']
}

export class Owner {
  readonly attempt: Attempt
  readonly over: Promise<RunView>
  view: RunView | null = null

  constructor({ project, run, programs, earlier = null, agent, onChild, readFile }: OwnerOptions) {
    const runners = agentRunners({ project, data: project, defaultAgent: agent })
    const executor = new LocalExecutor({
      cwd: project,
      slots: 4,
      runners,
      defaultAgent: agent,
      onChild: ({ pid, startTime }) => onChild?.({ pid, startTime }),
    })
    this.attempt = new Attempt({
      run,
      executor,
      clock,
      startScript: inThisThread(programs.main, { part: programs.part }),
      loadChild: loadFrom({ part: programs.part }),
      script: SCRIPT,
      input: { script: { sha256: 'a'.repeat(64), text: '', ext: 'js' }, engine: '0.1.0', policy: 'content', backend: agent },
      limits: run.info.limits,
      declaredPhases: [],
      earlier,
      skipInFlight: [],
      whenWaiting: 'stay',
      readFile: readFile ?? (async (path) => ({ refused: path })),
      onEvents: (_, view) => {
        this.view = view
      },
    })
    this.over = this.attempt.done.finally(() => executor.close())
    this.attempt.start()
  }

  /** Takes what is at work as skipped. */
  skipAll(): void {
    for (const { callId, actions } of this.view?.calls ?? []) if (actions.includes('skip')) this.attempt.skip(callId)
  }
}
