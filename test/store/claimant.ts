/** Another process: takes the run it is told of, says whether it won, and keeps what it won until it is ended. */
import { createInterface } from 'node:readline'
import { currentOwner } from '../../main/store/owner.ts'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import { RunId } from '../../shared/ids.ts'

const TEXT = 'return 1\n'

createInterface({ input: process.stdin }).on('line', (line) => {
  const [project = '', runId = ''] = line.split('\t')
  void openStore(project)
    .open(RunId.parse(runId), {
      owner: currentOwner(),
      script: { sha256: sha256Of(TEXT), text: TEXT, ext: 'ts' },
      engine: '0.1.0',
      policy: 'content',
      backend: null,
    })
    .then((taken) => process.stdout.write('heldBy' in taken ? 'held\n' : 'won\n'))
})
