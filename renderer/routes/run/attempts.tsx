/** All attempts of the run, newest first: how each ended and how much of it was replayed. */
import { Popover } from 'radix-ui'
import type { RunView } from '../../../shared/run/view.ts'
import { RUN_STATUS_WORDS, wordOf } from '../../../shared/words.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { when } from '../../words/quantity.ts'

export function Attempts({ view, now }: { view: RunView; now: number }) {
  const newest = [...view.attempts].sort((a, b) => b.attempt - a.attempt)
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button look="quiet">
          Attempt {view.attempt} of {Math.max(view.attempt, view.attempts.length)}
          <Icon name="down" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu" align="start" sideOffset={4} aria-label="Attempts">
          <ol>
            {newest.map(({ attempt, status, startedAt, counts }) => (
              <li key={attempt} className="menu-item" aria-current={attempt === view.attempt ? 'true' : undefined}>
                <span>{attempt === view.attempt && <Icon name="check" />}</span>
                <span>
                  Attempt {attempt}, {when(startedAt, now)}
                </span>
                <span className="note">
                  {wordOf(RUN_STATUS_WORDS, status)}. {counts.replayed} replayed, {counts.live} live
                  {counts.dead === 0 ? '' : `, ${counts.dead} died`}.
                </span>
              </li>
            ))}
          </ol>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
