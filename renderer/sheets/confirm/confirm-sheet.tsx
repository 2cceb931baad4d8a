/** Asks before what can't be undone. Opens on the answer that changes nothing. */
import { showKey } from '../../commands/keys.ts'
import { useStores } from '../../store/stores.ts'
import type { Question } from '../../store/window-store.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'

export function ConfirmSheet({ question }: { question: Question }) {
  const { window: frame } = useStores()
  const close = frame.getState().closeSheet
  const go = () => {
    close()
    question.go()
  }
  return (
    <Sheet
      title={question.title}
      onClose={close}
      onConfirm={go}
      footer={
        <>
          <span className="push" />
          <Button hint="esc" onClick={close} data-autofocus="">
            {question.no}
          </Button>
          <Button look="primary" hint={showKey('Mod+Enter')} onClick={go}>
            {question.yes}
          </Button>
        </>
      }
    >
      <p>{question.text}</p>
    </Sheet>
  )
}
