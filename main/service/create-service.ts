/** The service of this machine, put together. Thin: each verb is in the file of its name, loaded when it is first used. */
import { RunId } from '../../shared/ids.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import { dataFolder } from '../store/data-folder.ts'
import { openStore } from '../store/run-store.ts'
import { TrustStore } from '../store/trust-store.ts'
import type { LiveRun, Service } from './service.ts'

export interface ServiceOptions {
  /** Where the built entries of the run's threads lie; beside this file in a build. */
  workers?: URL
  /** The app's own data: settings and trust. */
  data?: string
}

export function createService({ workers = new URL('./', import.meta.url), data = dataFolder() }: ServiceOptions = {}): Service {
  const entries = { host: new URL('run-host.mjs', workers), script: new URL('script-worker.mjs', workers) }
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

  return {
    preflight: async (project, target, agent) => (await import('./preflight.ts')).preflight(project, target, agent, trusted),
    trust: async (sha256, path) => trusted.trust(sha256, path),
    launch: async (target, options) => {
      // What a killed owner left at work would write into the same files.
      const [run] = await Promise.all([
        import('./launch.ts').then(({ launch }) => launch(target, options, trusted, entries.host)),
        options.dryRun ? null : interruptedRuns(options.project).catch(() => []),
      ])
      return keep(run)
    },
    plan: async (runId, options) => (await import('./resume.ts')).plan(runId, options, trusted, entries),
    resume: async (runId, options) => keep(await (await import('./resume.ts')).resume(runId, options, trusted, entries)),
    stop: async (project, runId) => (await import('./stop.ts')).stopRun(project, runId, live.get(runId)),
    pause: async (project, runId) => (await import('./stop.ts')).pauseRun(project, runId, live.get(runId)),
    decide: async (...args) => (await import('./decide.ts')).decide(...args),
    skip: async (...args) => (await import('./act-on-call.ts')).skipCall(...args),
    retry: async (...args) => (await import('./act-on-call.ts')).retryCall(...args),
    answer: async (...args) => (await import('./act-on-call.ts')).answerQuestion(...args),
    list: (project, query) => openStore(project).list(query),
    show: async (project, runId) => (await openStore(project).read(runId)).view,
    call: async (project, runId, callId) => (await import('./lookup.ts')).callDetail(project, runId, callId),
    value: async (project, view) => (view.value === null ? undefined : openStore(project).value(RunId.parse(view.runId), view.value)),
    reconcile: interruptedRuns,
    logs: async function* (project, runId, follow) {
      yield* (await import('./logs.ts')).runLogs(project, runId, follow)
    },
    export: async (project, runId, path, options) => (await import('./export.ts')).exportOf(project, runId, path, options),
    import: async (project, path) => (await import('./import.ts')).importOf(project, path),
    prune: async (project, options) => (await import('./prune.ts')).pruneProject(project, options),
    pin: async (project, runId, pinned) => openStore(project).setPinned(runId, pinned),
    removable: async (...args) => (await import('./prune.ts')).removable(...args),
    outdated: async (...args) => (await import('./prune.ts')).outdated(...args),
    resolveRun: async (project, reference) => (await import('./lookup.ts')).resolveRun(project, reference),
  }
}

/** Runs whose owner died; what it left at work is ended. */
async function interruptedRuns(project: string): Promise<RunSummary[]> {
  return (await (await import('../store/reconcile.ts')).reconcile(project)).interrupted
}
