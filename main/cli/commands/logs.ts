/** `reprise logs`: what happened in a run, line by line, and what happens while it goes on. */
import { command } from '../command.ts'
import { logLine } from '../log-line.ts'
import { createTally } from '../progress/tally.ts'

export const logsCommand = command({
  name: 'logs',
  purpose: 'Print what happened in a run, and follow one that goes on',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['With --json or --events, each event is one JSON line. Ctrl-C ends the printing; the run goes on.'],
  options: {
    follow: { kind: 'flag', short: 'f', help: 'Go on until the run ends, whatever process works on it' },
  },
  examples: [
    { line: 'reprise logs last', does: 'What happened in the newest run' },
    { line: 'reprise logs 47 --follow', does: 'Watch run 47 until it ends' },
    { line: 'reprise logs 47 --json', does: 'For a program, one JSON line an event' },
  ],
  async run([reference = ''], given, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const end = new AbortController()
    const release = context.io.onInterrupt(() => end.abort())
    const tally = createTally()
    let count = 0
    try {
      for await (const batch of service.logs(project, runId, given.follow ? end.signal : null)) {
        if (end.signal.aborted) break
        for (const event of batch) {
          if (context.forPrograms) context.document(event)
          else context.answer(logLine(event, tally.now, context.ink.out))
          tally.fold(event)
        }
        count += batch.length
      }
    } finally {
      release()
    }
    if (count === 0 && !end.signal.aborted) context.note(`Run ${runId} has no events. Look: ${context.hint(['show', runId])}`)
    return 0
  },
})
