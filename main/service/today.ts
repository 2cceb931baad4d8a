/** What all agents of this person have cost today, and what they may. */
import type { Today } from '../../shared/contract/agents.ts'
import { dayLimit, readProjectProfiles, readUserProfiles } from '../agents/profile-files.ts'
import { DaySpending } from '../store/day-spending.ts'

/** @param data the app's data folder; @param now milliseconds since 1970: the day is that of the person's clock */
export async function spentToday(project: string, data: string, now = Date.now()): Promise<Today> {
  const spent = [...new DaySpending(data).of(now).values()]
  return {
    cost: spent.reduce((sum, { cost }) => sum + cost, 0),
    limit: dayLimit(await Promise.all([readUserProfiles(data), readProjectProfiles(project)])),
  }
}
