/** The open sheets, one over the other. */
import { assertNever } from '../../shared/assert-never.ts'
import { useWindow } from '../store/stores.ts'
import type { Sheet } from '../store/window-store.ts'
import { CommandSheet } from './commands/command-sheet.tsx'
import { ConfirmSheet } from './confirm/confirm-sheet.tsx'
import { GateSheet } from './gate/gate-sheet.tsx'
import { KeySheet } from './keys/key-sheet.tsx'
import { NewRunSheet } from './new-run/new-run-sheet.tsx'
import { ResumeSheet } from './resume/resume-sheet.tsx'
import { TrustSheet } from './trust/trust-sheet.tsx'

export function Sheets() {
  const sheets = useWindow((state) => state.sheets)
  return sheets.map((sheet) => <One key={sheet.name} sheet={sheet} />)
}

function One({ sheet }: { sheet: Sheet }) {
  switch (sheet.name) {
    case 'new-run':
      return <NewRunSheet target={sheet.target} agent={sheet.agent} />
    case 'resume':
      return <ResumeSheet runId={sheet.runId} title={sheet.title} number={sheet.number} from={sheet.from ?? null} />
    case 'trust':
      return <TrustSheet preflight={sheet.preflight} go={sheet.go} />
    case 'gate':
      return <GateSheet runId={sheet.runId} callId={sheet.callId} />
    case 'confirm':
      return <ConfirmSheet question={sheet.question} />
    case 'keys':
      return <KeySheet />
    case 'commands':
      return <CommandSheet />
    default:
      return assertNever(sheet)
  }
}
