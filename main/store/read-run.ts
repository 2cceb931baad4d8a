/** One run read from disk, whoever owns it. Reading writes nothing. */
import { existsSync, statSync } from 'node:fs'
import { reduceAll } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { RunInfo, RunRead } from '../engine/ports.ts'
import { readEvents } from './event-log.ts'
import { readOlderRun } from './older-run.ts'
import { NOBODY, ownerState } from './owner.ts'
import type { RunPaths } from './paths.ts'
import { withPin } from './pins.ts'
import { badLines, readJournal } from './read-journal.ts'
import { viewOf } from './run-facts.ts'
import { readRunInfo } from './run-info.ts'
import { readState } from './state-cache.ts'

/**
 * Reads a run: facts from the journal, the story from the events.
 * @throws AppError `run-damaged`, `journal-missing`, `newer-format`
 */
export function readRun(run: RunPaths): RunRead {
  const older = existsSync(run.info) ? null : readOlderRun(run)
  if (older !== null) return older
  const info = readRunInfo(run)
  // Events first: a result is in the journal before its event, so the journal read after them holds at least as much.
  const story = readStory(run, info)
  const journal = readJournal(run.journal)
  const owner = journal.owner?.owner ?? NOBODY
  const state = journal.end === null ? ownerState(owner) : 'dead'
  const bad = badLines(journal, run.journal, state === 'dead')
  const facts = { info, records: journal.records, badLines: bad, attempt: Math.max(1, journal.attempt), end: journal.end, owner: state }
  const told = viewOf(story, facts)
  const view = withPin(info.redacted === true ? readOnly(told) : told, run)
  return { info, records: journal.records, badLines: bad, view, owner, ownerAlive: state !== 'dead' }
}

/** A run without its secrets asks something else than the one that was paid for, so it never goes on. */
function readOnly(view: RunView): RunView {
  return { ...view, allowedActions: view.allowedActions.filter((action) => action === 'delete') }
}

/** The view that the events give; null without any. */
function readStory(run: RunPaths, info: RunInfo): RunView | null {
  const cached = readState(run, info.runId)
  const size = statSync(run.events, { throwIfNoEntry: false })?.size ?? 0
  // Events that a power cut took are in no file: then the cached view tells of things nobody can check.
  const usable = cached !== null && cached.eventsBytes <= size ? cached : null
  let view = usable?.view ?? null
  for (const { events } of readEvents(run.events, usable?.eventsBytes ?? 0)) view = reduceAll(view, events)
  return view
}
