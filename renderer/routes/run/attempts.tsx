/** All attempts of the run, newest first: how each ended and how much of it was replayed. Choosing one shows it. */
import type { RunView } from '../../../shared/run/view.ts'
import { RUN_STATUS_WORDS, wordOf } from '../../../shared/words.ts'
import { showAttempt } from '../../commands/actions.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { when } from '../../words/quantity.ts'

export function Attempts({ view, now }: { view: RunView; now: number }) {
  const stores = useStores()
  const newest = [...view.attempts].sort((a, b) => b.attempt - a.attempt)
  const items = newest.map(({ attempt, status, startedAt, counts }, index) => ({
    id: String(attempt),
    label: `Attempt ${attempt}, ${when(startedAt, now)}`,
    mark: attempt === view.attempt ? <Icon name="check" /> : null,
    note: `${wordOf(RUN_STATUS_WORDS, status)}. ${counts.replayed} replayed, ${counts.live} live${
      counts.dead === 0 ? '' : `, ${counts.dead} died`
    }${index === 0 ? '' : '. Read-only'}.`,
    hint: attempt === view.attempt - 1 ? '[' : attempt === view.attempt + 1 ? ']' : undefined,
    run: () => void showAttempt(stores, attempt),
  }))
  return (
    <Menu
      items={items}
      trigger={
        <Button look="quiet">
          Attempt {view.attempt} of {Math.max(view.attempt, view.attempts.length)}
          <Icon name="down" />
        </Button>
      }
    />
  )
}
