/** Worker threads run built files, so the command line's bundle is made once before the tests, when its sources changed. */
import { buildIfStale } from '../tools/build.mjs'

export default async function setup(): Promise<void> {
  await buildIfStale('cli')
}
