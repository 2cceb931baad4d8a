/** Another process: resumes the run it is told of and says how that went, `won <attempt>` once the run has ended or the refusal's code. */
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { createService } from '../../main/service/create-service.ts'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'

const [, , workers = '', data = ''] = process.argv
const service = createService({ workers: pathToFileURL(workers), data })

async function resume(project: string, runId: string): Promise<string> {
  try {
    const run = await service.resume(RunId.parse(runId), { project })
    const { attempt, status } = await run.done
    return `won ${attempt} ${status}`
  } catch (error) {
    return AppError.wrap(error).code
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [project = '', runId = ''] = line.split('\t')
  void resume(project, runId).then((told) => process.stdout.write(`${told}\n`))
})
