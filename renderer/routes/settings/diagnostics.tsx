/** What helps when something is wrong: the journals checked, what page and app said to each other, the facts of a report. */
import { useState } from 'react'
import type { IpcLine } from '../../../shared/contract/app.ts'
import type { Finding } from '../../../shared/contract/projects.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import { copyText, showError } from '../../commands/actions.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { counted, exactTime, grouped } from '../../words/quantity.ts'
import { SettingRow } from './setting-row.tsx'

type Check = { at: 'none' } | { at: 'checking' } | { at: 'done'; when: number; findings: Finding[] } | { at: 'failed'; error: ErrorData }

export function Diagnostics() {
  const stores = useStores()
  const project = useWindow((state) => state.project)
  const [lines, setLines] = useState<IpcLine[] | null>(null)
  const showLog = async () => {
    const answer = await stores.bridge.app.ipcLog()
    if (answer.ok) setLines(answer.value)
    else showError(stores, answer.error)
  }
  return (
    <>
      {project !== null && <JournalCheck />}
      <SettingRow
        name="Messages between page and app"
        note="The last 500, with their sizes and how long each took. No contents."
        where="app"
      >
        <Button aria-expanded={lines !== null} onClick={() => (lines === null ? void showLog() : setLines(null))}>
          {lines === null ? 'Show' : 'Hide'}
        </Button>
        {lines !== null && <Button onClick={() => void showLog()}>Again</Button>}
      </SettingRow>
      {lines !== null && <IpcLog lines={lines} />}
      <SettingRow name="Details for a report" note="Versions and settings. No prompts, no results, no tokens." where="app">
        <CopyDetails />
      </SettingRow>
    </>
  )
}

function JournalCheck() {
  const stores = useStores()
  const now = useNow(false)
  const [check, setCheck] = useState<Check>({ at: 'none' })
  const run = async (how: 'check' | 'repair') => {
    setCheck({ at: 'checking' })
    const answer = await (how === 'check' ? stores.bridge.projects.check() : stores.bridge.projects.repair())
    setCheck(answer.ok ? { at: 'done', when: stores.clock(), findings: answer.value } : { at: 'failed', error: answer.error })
    if (answer.ok) stores.window.getState().say(verdict(answer.value))
  }
  const findings = check.at === 'done' ? check.findings : []
  const note =
    check.at === 'done'
      ? `${verdict(check.findings)} Checked at ${exactTime(check.when || now)}.`
      : 'Reads every journal and the list of runs, and changes nothing.'
  return (
    <>
      <SettingRow name="Journal check" note={note} where="project">
        <Button whyNot={check.at === 'checking' ? 'Checking' : null} onClick={() => void run('check')}>
          {check.at === 'checking' ? 'Checking…' : 'Check now'}
        </Button>
        {findings.some((one) => one.fix !== null) && <Button onClick={() => void run('repair')}>Repair what is safe</Button>}
      </SettingRow>
      {check.at === 'failed' && <Failure error={check.error} retry={() => void run('check')} />}
      {findings.length > 0 && (
        <ul className="panel setting-list">
          {findings.map((one) => (
            <li className="finding" key={`${one.kind} ${one.path} ${one.what}`}>
              <Glyph tone={one.level === 'problem' ? 'warning' : 'next'} />
              <div>
                <p>{one.what}</p>
                <p className="more">
                  {one.path}
                  {one.fix === null ? '' : `. A repair: ${one.fix}`}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function verdict(findings: readonly Finding[]): string {
  const problems = findings.filter((one) => one.level === 'problem').length
  return problems === 0 ? 'Nothing is damaged.' : `${counted(problems, 'problem')} found.`
}

function IpcLog({ lines }: { lines: readonly IpcLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="setting-list ipc-log" tabIndex={0} aria-label="Messages between page and app">
      <table className="call-table">
        <thead>
          <tr>
            {['Time', 'Message', 'Bytes in', 'Bytes out', 'Took', 'Answer'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.n}>
              <td>{exactTime(line.at)}</td>
              <td className="name">{line.name}</td>
              <td className="right">{grouped(line.bytesIn)}</td>
              <td className="right">{grouped(line.bytesOut)}</td>
              <td className="right">{line.ms === null ? '–' : `${line.ms.toFixed(1)} ms`}</td>
              <td>{line.error ?? (line.ms === null ? 'told' : 'ok')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function CopyDetails() {
  const stores = useStores()
  const info = useWindow((state) => state.info)
  const settings = useWindow((state) => state.settings)
  const details = () => JSON.stringify({ ...info, screen: `${innerWidth}×${innerHeight} at ${devicePixelRatio}`, settings }, null, 2)
  return <Button onClick={() => void copyText(stores, details(), 'Details copied.')}>Copy details</Button>
}
