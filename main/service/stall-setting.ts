/** After which silence an agent of a new run is taken as stuck, where the run does not say it: the row `stallMinutes` of the settings. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { Settings } from '../../shared/contract/settings.ts'
import { STALL_MINUTES } from '../../shared/run/stall.ts'

const File = z.object({ data: Settings.pick({ stallMinutes: true }) })

/** In milliseconds; null for never. @param data the app's data folder */
export async function stallSetting(data: string): Promise<number | null> {
  const text = await readFile(join(data, 'settings.json'), 'utf8').catch(() => '')
  const read = File.safeParse(parsed(text))
  const minutes = read.success ? read.data.data.stallMinutes : STALL_MINUTES
  return minutes === null ? null : minutes * 60_000
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
