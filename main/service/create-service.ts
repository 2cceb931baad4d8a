/** The service of this machine, put together. Thin: each verb is in the file of its name, loaded when it is first used. */
import { RunId } from '../../shared/ids.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import { dataFolder } from '../store/data-folder.ts'
import { openStore } from '../store/run-store.ts'
import { TrustStore } from '../store/trust-store.ts'
import type { AgentsWorld } from './agents.ts'
import type { LiveRun, Service } from './service.ts'

export interface ServiceOptions {
  /** Where the built entries of the run's threads lie; beside this file in a build. */
  workers?: URL
  /** Runs are hosted in this thread and not in ones of their own: for a process that lives as long as its run. */
  hostHere?: boolean
  /** The app's own data: settings and trust. */
  data?: string
  /** Secrets that lie elsewhere than in the data folder, as they are now. */
  secrets?: () => SecretValues
}

export function createService({
  workers = new URL('./', import.meta.url),
  hostHere = false,
  data = dataFolder(),
  secrets = () => ({}),
}: ServiceOptions = {}): Service {
  const entries = {
    host: { url: hostHere ? ('here' as const) : new URL('run-host.mjs', workers), secrets },
    script: new URL('script-worker.mjs', workers),
  }
  const trusted = new TrustStore(data)
  /** Runs that this process is at work on, by id. */
  const live = new Map<string, LiveRun>()

  const keep = (run: LiveRun): LiveRun => {
    if (run.existed) return run
    live.set(run.runId, run)
    const forget = (): void => void live.delete(run.runId)
    run.done.then(forget, forget)
    return run
  }

  const agents = (project: string): AgentsWorld => ({ project, data, secrets: secrets(), isTrusted: (sha256) => trusted.isTrusted(sha256) })

  const service: Service = {
    preflight: async (project, target, agent) => (await import('./preflight.ts')).preflight(project, target, agent, trusted),
    trust: async (sha256, path) => trusted.trust(sha256, path),
    launch: async (target, options) => {
      // What a killed owner left at work would write into the same files.
      const [run] = await Promise.all([
        import('./launch.ts').then(({ launch }) => launch(target, options, trusted, entries.host)),
        options.dryRun ? null : import('../store/reconcile.ts').then(({ reconcile }) => reconcile(options.project)).catch(() => null),
      ])
      return keep(run)
    },
    dryRun: async (...args) => (await import('./dry-run.ts')).dryRun(service, ...args),
    plan: async (runId, options) => (await import('./resume.ts')).plan(runId, options, trusted, entries),
    resume: async (runId, options) => keep(await (await import('./resume.ts')).resume(runId, options, trusted, entries)),
    stop: async (project, runId) => (await import('./stop.ts')).stopRun(project, runId, live.get(runId)),
    pause: async (project, runId) => (await import('./stop.ts')).pauseRun(project, runId, live.get(runId)),
    decide: async (...args) => (await import('./decide.ts')).decide(...args),
    skip: async (...args) => (await import('./act-on-call.ts')).skipCall(...args),
    retry: async (...args) => (await import('./act-on-call.ts')).retryCall(...args),
    answer: async (...args) => (await import('./act-on-call.ts')).answerQuestion(...args),
    list: (project, query) => openStore(project).list(query),
    show: async (project, runId, attempt) =>
      attempt === undefined ? (await openStore(project).read(runId)).view : openStore(project).readAttempt(runId, attempt),
    call: async (project, runId, callId, attempt) => (await import('./lookup.ts')).callDetail(project, runId, callId, attempt),
    transcript: async (...args) => (await import('./lookup.ts')).transcriptOf(...args),
    agents: async (project, anew) => (await import('./agents.ts')).listAgents(agents(project), anew),
    today: async (project) => (await import('./today.ts')).spentToday(project, data),
    testAgent: async (project, name) => (await import('./agents.ts')).testAgent(name, agents(project)),
    setSecret: async (...args) => (await import('../agents/secret-file.ts')).changeSecret(data, ...args),
    value: async (project, run) => {
      const store = openStore(project)
      const { runId, value } = typeof run === 'string' ? (await store.read(run)).view : run
      return value === null ? undefined : store.value(RunId.parse(runId), value)
    },
    reconcile: async (project) => (await import('./worktrees.ts')).reconcileAll(project),
    logs: async function* (project, runId, follow) {
      yield* (await import('./logs.ts')).runLogs(project, runId, follow)
    },
    export: async (project, runId, path, options) => (await import('./export.ts')).exportOf(project, runId, path, options),
    import: async (project, path) => (await import('./import.ts')).importOf(project, path),
    prune: async (project, options) => (await import('./prune.ts')).pruneProject(project, options),
    checkText: async (project, path, text) => (await import('./edit-script.ts')).checkText(project, path, text, trusted),
    saveText: async (...args) => (await import('./edit-script.ts')).saveText(...args),
    newWorkflow: async (project, name) => (await import('./new-workflow.ts')).newWorkflow(project, name),
    examine: async (project, how) => {
      const doctor = await import('../store/doctor.ts')
      return how === 'look' ? doctor.examine(project) : (await doctor.repair(project)).left
    },
    worktrees: async (project, runId) => (await import('./worktrees.ts')).worktreesOf(project, runId),
    worktreeDiff: async (...args) => (await import('./worktrees.ts')).worktreeDiff(...args),
    applyWorktree: async (...args) => (await import('./worktrees.ts')).applyWorktree(...args),
    discardWorktree: async (...args) => (await import('./worktrees.ts')).discardWorktree(...args),
    pin: async (project, runId, pinned) => openStore(project).setPinned(runId, pinned),
    removable: async (...args) => (await import('./prune.ts')).removable(...args),
    outdated: async (...args) => (await import('./prune.ts')).outdated(...args),
    resolveRun: async (project, reference) => (await import('./lookup.ts')).resolveRun(project, reference),
  }
  return service
}
