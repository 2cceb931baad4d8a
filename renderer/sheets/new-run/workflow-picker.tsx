/** One searchable list of what can be run: the project's workflows, those of the user, and scripts that ran before. */
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { useHistory, useWindow } from '../../store/stores.ts'
import type { Target } from '../../store/window-store.ts'
import { Icon } from '../../ui/icon.tsx'
import { SearchList } from '../../ui/search-list.tsx'
import { isWanted } from '../../words/search.ts'

interface Pick {
  path: string
  name: string
  note: string
  group: 'This project' | 'Yours, for every project' | 'Recent'
}

const RECENT = 8

function usePicks(): Pick[] {
  const workflows = useWindow((state) => state.workflows)
  const runs = useHistory((state) => state.runs)
  const named = workflows.map(
    (workflow): Pick => ({
      path: workflow.path,
      name: workflow.name,
      note: workflow.problem ?? workflow.description ?? '',
      group: workflow.scope === 'user' ? 'Yours, for every project' : 'This project',
    }),
  )
  const known = new Set(named.map((one) => one.path))
  const recent = new Map<string, Pick>()
  for (const run of runs) {
    if (run.path === '' || known.has(run.path) || recent.has(run.path)) continue
    recent.set(run.path, { path: run.path, name: run.title, note: run.path, group: 'Recent' })
  }
  const own = named.filter((one) => one.group === 'This project')
  const users = named.filter((one) => one.group !== 'This project')
  return [...own, ...users, ...[...recent.values()].slice(0, RECENT)]
}

export function WorkflowPicker(props: { chosen: Target | null; title: string | null; onChoose: (target: Target) => void }) {
  const { chosen, title, onChoose } = props
  const [open, setOpen] = useState(false)
  const picks = usePicks()
  const path = chosen !== null && 'path' in chosen ? chosen.path : null
  const shown = picks.find((one) => one.path === path)?.name ?? title ?? path ?? 'Choose a workflow'
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="select select--grow" aria-label={`Workflow: ${shown}`} data-autofocus="">
          <span>{shown}</span>
          <Icon name="down" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu picker" align="start" sideOffset={4} aria-label="Choose a workflow">
          <List
            picks={picks}
            path={path}
            onChoose={(pick) => {
              setOpen(false)
              onChoose({ path: pick.path })
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function List({ picks, path, onChoose }: { picks: readonly Pick[]; path: string | null; onChoose: (pick: Pick) => void }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const options = picks
    .filter((one) => isWanted(wanted, `${one.name} ${one.note} ${one.path}`))
    .map((pick) => ({
      ...{ id: pick.path, group: pick.group, pick },
      mark: pick.path === path ? <Icon name="check" /> : <span />,
      label: (
        <>
          {pick.name}
          {pick.note !== '' && <span className="dense secondary"> {pick.note}</span>}
        </>
      ),
    }))
  return (
    <SearchList
      field="Search workflows"
      list="Workflows"
      placeholder="Search workflows"
      className="picker-list"
      nothing={`No workflow matches “${text}”`}
      text={text}
      onText={setText}
      options={options}
      startAt={picks.findIndex((one) => one.path === path)}
      onTake={({ pick }) => onChoose(pick)}
    />
  )
}
