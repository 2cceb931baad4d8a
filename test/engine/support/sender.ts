/** Another process: posts the command it is told of to the owner of a run and says what became of it. */
import { createInterface } from 'node:readline'
import type { CommandEntry } from '../../../main/engine/ports.ts'
import { openStore } from '../../../main/store/run-store.ts'
import { RunId } from '../../../shared/ids.ts'

/** Far longer than an owner that answers takes. */
const ANSWER_MS = 30_000

createInterface({ input: process.stdin }).on('line', (line) => {
  const [project = '', runId = '', entry = ''] = line.split('\t')
  void openStore(project)
    .inbox.post(RunId.parse(runId), JSON.parse(entry) as CommandEntry, ANSWER_MS)
    .then((outcome) => process.stdout.write(`${outcome}\n`))
})
