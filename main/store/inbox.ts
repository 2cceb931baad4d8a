/**
 * Commands to a run that another process owns: one file each, made whole, applied by the owner in name order. The sender
 * believes only what the owner journaled.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from 'ulid'
import * as z from 'zod'
import type { RunId } from '../../shared/ids.ts'
import type { CommandEntry, RunInbox } from '../engine/ports.ts'
import { createFile, removeQuietly } from './atomic-write.ts'
import { changes } from './changes.ts'
import type { Disk } from './disk.ts'
import { isMissing, nodeDisk, writeError } from './disk.ts'
import { ownerState } from './owner.ts'
import type { ProjectPaths } from './paths.ts'
import { makeFolder, runPaths } from './paths.ts'
import type { JournalReader } from './read-journal.ts'
import { openJournal, readInto, readJournal } from './read-journal.ts'

type PostOutcome = Awaited<ReturnType<RunInbox['post']>>

const call = z.number().int()
const CommandFile = z.object({
  id: z.string().min(1),
  by: z.string(),
  /** The attempt that the sender saw; a command for an earlier one is not applied. */
  attempt: z.number().int(),
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('stop') }),
    z.object({ kind: z.literal('pause') }),
    z.object({ kind: z.literal('skip'), call }),
    z.object({ kind: z.literal('retry'), call }),
    z.object({ kind: z.literal('decide'), call, choice: z.string(), note: z.string().exactOptional(), seen: z.string().exactOptional() }),
    z.object({ kind: z.literal('answer'), question: z.string(), answer: z.enum(['allow-once', 'allow-always', 'deny']) }),
  ]),
})

const NAME = /^[0-9A-Z]{26}\.json$/

/** Removes commands that were meant for an earlier attempt, once another one owns the run. */
export function sweepCommands(folder: string, attempt: number): void {
  for (const name of commandNames(folder)) {
    const path = join(folder, name)
    const command = readCommand(path)
    if (command === null || command.attempt < attempt) removeQuietly(path)
  }
}

function commandNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function readCommand(path: string): z.infer<typeof CommandFile> | null {
  try {
    const parsed = CommandFile.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export class LocalRunInbox implements RunInbox {
  readonly #paths: ProjectPaths
  readonly #disk: Disk

  constructor(paths: ProjectPaths, disk: Disk = nodeDisk) {
    this.#paths = paths
    this.#disk = disk
  }

  async post(runId: RunId, entry: CommandEntry, waitMs: number): Promise<PostOutcome> {
    const files = runPaths(this.#paths, runId)
    const reader = readJournal(files.journal)
    if (outcomeOf(reader, entry.id) !== null) return 'repeated'
    if (!isHeld(reader)) return 'ended'
    const path = join(files.commands, `${ulid()}.json`)
    try {
      makeFolder(files.commands)
      createFile(path, JSON.stringify({ id: entry.id, by: entry.by, attempt: reader.attempt, body: entry.body }), this.#disk)
    } catch (error) {
      throw writeError(error, path)
    }
    const answer = await waitForOutcome(files.journal, reader, entry.id, waitMs)
    // Withdrawn, so that an owner that wakes up later does not do what the sender was told is not done.
    if (answer === 'no-answer' || answer === 'ended') removeQuietly(path)
    return answer
  }

  async *take(runId: RunId, signal: AbortSignal): AsyncGenerator<CommandEntry & { done(): Promise<void> }> {
    const { commands } = runPaths(this.#paths, runId)
    makeFolder(commands)
    const seenNames = new Set<string>()
    const seenIds = new Set<string>()
    for await (const _ of changes(commands, signal)) {
      for (const name of commandNames(commands)) {
        if (seenNames.has(name)) continue
        seenNames.add(name)
        const path = join(commands, name)
        const command = readCommand(path)
        if (command === null || seenIds.has(command.id)) {
          removeQuietly(path)
          continue
        }
        seenIds.add(command.id)
        const { id, by, body } = command
        yield { id, by, body, done: async () => removeQuietly(path) }
        if (signal.aborted) return
      }
    }
  }
}

function outcomeOf(reader: JournalReader, id: string): string | null {
  for (const record of reader.records) if (record.t === 'command' && record.id === id) return record.outcome
  return null
}

function isHeld(reader: JournalReader): boolean {
  return reader.end === null && reader.owner !== null && ownerState(reader.owner.owner) !== 'dead'
}

async function waitForOutcome(journal: string, reader: JournalReader, id: string, waitMs: number): Promise<PostOutcome> {
  for await (const _ of changes(journal, AbortSignal.timeout(waitMs))) {
    readRest(journal, reader)
    const outcome = outcomeOf(reader, id)
    if (outcome !== null) return asPosted(outcome)
    if (!isHeld(reader)) return 'ended'
  }
  return 'no-answer'
}

function asPosted(outcome: string): PostOutcome {
  return outcome === 'stale' || outcome === 'unseen' || outcome === 'ended' || outcome === 'repeated' ? outcome : 'accepted'
}

function readRest(journal: string, reader: JournalReader): void {
  const fd = openJournal(journal, 0)
  try {
    readInto(reader, fd, reader.bytes)
  } finally {
    closeSync(fd)
  }
}
