/** `reprise crash-test`: kills a real engine over and over on this machine's disk and counts what that cost. */
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import type { CrashFigures } from '../../crash/crash-test.ts'
import { command } from '../command.ts'
import { plural } from '../text/amounts.ts'

const KILLS = 500
const TELL_EVERY = 25

function sentence({ kills, acknowledgedLost, rerun, undetected }: CrashFigures): string {
  return `${plural(kills, 'kill')}: ${acknowledgedLost} acknowledged lost, ${rerun} re-run, ${undetected} undetected`
}

function harm({ runs, tornTails, flippedBits, refusedWrites, unsyncedLost }: CrashFigures): string {
  return `${plural(runs, 'run')}, ${plural(tornTails, 'torn tail')}, ${plural(flippedBits, 'flipped bit')}, ${plural(refusedWrites, 'process', 'processes')} with refused writes, ${unsyncedLost} with unsynced bytes lost`
}

export const crashTestCommand = command({
  name: 'crash-test',
  purpose: 'Kill an engine over and over and count what is lost',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  notes: [
    'Nothing of your projects is touched: the runs are simulated and lie in a temporary folder.',
    'A re-run call was at work when the process was killed; there are at most as many as lanes after each kill.',
  ],
  options: {
    kills: { kind: 'count', value: 'N', help: `Kills (${KILLS})`, min: 1, max: 100_000 },
    lanes: { kind: 'choice', help: 'Calls at work at once (both in turns)', choices: ['1', '16'] },
    dir: { kind: 'text', value: 'DIR', help: 'Work in this folder, for instance on another disk, and keep what is in it' },
    seed: { kind: 'count', value: 'N', help: 'Choose the same kills as an earlier test', min: 0, max: 4_294_967_295 },
  },
  exits: [
    [0, 'nothing was lost and no damage went unnoticed'],
    [1, 'a result that was handed out is lost, or damage went unnoticed'],
    [2, 'wrong usage'],
    [130, 'you ended it'],
  ],
  examples: [
    { line: 'reprise crash-test', does: `${KILLS} kills, about three minutes` },
    { line: 'reprise crash-test --kills 50 --lanes 16 --json', does: 'Fewer kills, figures as JSON' },
    { line: 'reprise crash-test --dir /mnt/share/test', does: 'Test another disk' },
  ],
  async run(_, given, context) {
    const { crashTest, isClean } = await import('../../crash/crash-test.ts')
    const stop = new AbortController()
    const release = context.io.onInterrupt(() => stop.abort())
    try {
      const figures = await crashTest({
        kills: given.kills ?? KILLS,
        lanes: given.lanes === undefined ? [1, 16] : [Number(given.lanes)],
        ...(given.dir !== undefined && { dir: resolve(context.io.cwd, given.dir) }),
        seed: given.seed ?? randomInt(2 ** 32),
        entry: new URL('./crash-engine.mjs', import.meta.url),
        signal: stop.signal,
        onProgress: (now) => {
          if (now.kills % TELL_EVERY === 0) context.note(`${sentence(now)}.`)
        },
      })
      for (const failure of figures.failures) context.warn(failure)
      if (context.forPrograms) context.document(figures)
      else {
        context.answer(`${sentence(figures)}.`)
        context.note(`${harm(figures)}. Seed ${figures.seed}.`)
      }
      if (stop.signal.aborted) return 130
      return isClean(figures) ? 0 : 1
    } finally {
      release()
    }
  },
})
