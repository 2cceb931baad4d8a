/** Answers about runs, all of the open project. Starting and resuming also puts the run on the list of live ones. */
import type { LiveRuns } from '../../live-runs.ts'
import type { Projects } from '../../projects.ts'
import type { LiveRun, Service } from '../../service/service.ts'
import type { RunFeed } from '../run-feed.ts'
import type { Handlers } from '../validated-ipc.ts'
import type { RunFileHandlers } from './run-files.ts'

type RunHandlers = Omit<Pick<Handlers, Extract<keyof Handlers, `runs.${string}`>>, keyof RunFileHandlers>

export function runHandlers(service: Service, projects: Projects, live: LiveRuns, feed: RunFeed): RunHandlers {
  const follow = (run: LiveRun, project: string) => {
    if (!run.existed) live.add(run, project)
    return { runId: run.runId, number: run.number, existed: run.existed }
  }
  return {
    'runs.list': (query) => service.list(projects.requireCurrent(), query),
    'runs.show': ({ runId, attempt }) => service.show(projects.requireCurrent(), runId, attempt),
    'runs.call': ({ runId, callId, attempt }) => service.call(projects.requireCurrent(), runId, callId, attempt),
    'runs.transcript': ({ runId, callId, ...query }) => service.transcript(projects.requireCurrent(), runId, callId, query),
    'runs.value': async ({ runId }) => {
      const value = await service.value(projects.requireCurrent(), runId)
      return value === undefined ? {} : { value }
    },
    'runs.preflight': ({ target, agent }) => service.preflight(projects.requireCurrent(), target, agent),
    'runs.trust': async ({ sha256, path }) => {
      await service.trust(sha256, path)
      return null
    },
    'runs.launch': async ({ target, ...options }) => {
      const project = projects.requireCurrent()
      return follow(await service.launch(target, { project, ...options }), project)
    },
    'runs.dryRun': ({ target, ...options }) => service.dryRun(target, { project: projects.requireCurrent(), ...options }),
    'runs.plan': ({ runId, ...options }) => service.plan(runId, { project: projects.requireCurrent(), ...options }),
    'runs.resume': async ({ runId, ...options }) => {
      const project = projects.requireCurrent()
      return follow(await service.resume(runId, { project, ...options }), project)
    },
    'runs.stop': ({ runId, how }) => (live.stop(runId, how) ? 'accepted' : service.stop(projects.requireCurrent(), runId)),
    'runs.pause': ({ runId }) => service.pause(projects.requireCurrent(), runId),
    'runs.decide': ({ runId, callId, choice, note, seen }) =>
      service.decide(projects.requireCurrent(), runId, callId, {
        choice,
        ...(note !== undefined && { note }),
        ...(seen !== undefined && { seen }),
        by: 'app',
      }),
    'runs.skip': ({ runId, callId }) => service.skip(projects.requireCurrent(), runId, callId),
    'runs.retry': ({ runId, callId }) => service.retry(projects.requireCurrent(), runId, callId),
    'runs.answer': ({ runId, question, answer }) => service.answer(projects.requireCurrent(), runId, question, answer, 'app'),
    'runs.worktrees': async ({ runId }) => ({ worktrees: await service.worktrees(projects.requireCurrent(), runId) }),
    'runs.worktreeDiff': async ({ runId, callId }) => ({ diff: await service.worktreeDiff(projects.requireCurrent(), runId, callId) }),
    'runs.applyWorktree': ({ runId, callId }) => service.applyWorktree(projects.requireCurrent(), runId, callId),
    'runs.discardWorktree': ({ runId, callId }) => service.discardWorktree(projects.requireCurrent(), runId, callId),
    'runs.watch': ({ runId }) => {
      feed.watch(runId, projects.requireCurrent())
      return null
    },
    'runs.unwatch': ({ runId }) => {
      feed.unwatch(runId)
      return null
    },
  }
}
