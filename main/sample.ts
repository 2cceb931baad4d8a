/** The sample that the first start offers: a project in the app's own folder with one script, which a person may change. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tour from '../examples/tour.workflow.js?raw'

/** Makes the sample project unless it is there. @returns the path of its script */
export function makeSample(dataFolder: string): string {
  const folder = join(dataFolder, 'sample', '.claude', 'workflows')
  const script = join(folder, 'tour.js')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(script)) writeFileSync(script, tour)
  return script
}
