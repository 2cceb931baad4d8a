/** While something is dragged over the window: what can be dropped. What it was is only known after the drop. */
import { useEffect, useState } from 'react'
import { takeDrop } from '../commands/actions.ts'
import { useStores } from '../store/stores.ts'

export function DropOverlay({ shown = false }: { shown?: boolean }) {
  const stores = useStores()
  const [over, setOver] = useState(false)
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent) => {
      if (carriesFiles(event)) setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false) // not into another element: out of the window, or given up
    }
    const move = () => setOver(false) // no pointer moves while something is dragged
    const hover = (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void takeDrop(stores, [...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', hover)
    addEventListener('pointermove', move)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', hover)
      removeEventListener('pointermove', move)
      removeEventListener('drop', drop)
    }
  }, [stores])
  if (!over && !shown) return null
  return (
    <section className="drop" aria-label="Drop">
      <div>
        <h1>Drop to open in Reprise</h1>
        <dl>
          <dt>folder</dt>
          <dd>→</dd>
          <dd>becomes the open project</dd>
          <dt>.ts .js .mjs</dt>
          <dd>→</dd>
          <dd>a new run with this script</dd>
          <dt>.reprise</dt>
          <dd>→</dd>
          <dd>an exported run, taken in to be looked at</dd>
        </dl>
        <p className="secondary">A drop is only read. What runs, you start yourself.</p>
      </div>
    </section>
  )
}
