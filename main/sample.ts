/** The sample that the first start offers: a project in the app's own folder with two scripts, which a person may change. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import askFirst from '../examples/ask-first.workflow.js?raw'
import tour from '../examples/tour.workflow.js?raw'

/** Makes the sample project unless it is there. @returns the path of the script to begin with */
export function makeSample(dataFolder: string): string {
  const folder = join(dataFolder, 'sample', '.claude', 'workflows')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ 'tour.js': tour, 'ask-first.js': askFirst })) {
    const script = join(folder, name)
    if (!existsSync(script)) writeFileSync(script, text)
  }
  return join(folder, 'tour.js')
}
