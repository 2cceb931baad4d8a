/** While something is dragged over the window: what can be dropped. What it was is only known after the drop. */
import { useEffect, useRef, useState } from 'react'
import { takeDrop } from '../commands/actions.ts'
import { useStores } from '../store/stores.ts'

export function DropOverlay({ shown = false }: { shown?: boolean }) {
  const stores = useStores()
  const [over, setOver] = useState(false)
  // Every element that is crossed sends an enter and a leave: the overlay goes when they are even.
  const depth = useRef(0)
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth.current += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth.current = Math.max(0, depth.current - 1)
      if (depth.current === 0) setOver(false)
    }
    const hover = (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      depth.current = 0
      setOver(false)
      void takeDrop(stores, [...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', hover)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', hover)
      removeEventListener('drop', drop)
    }
  }, [stores])
  if (!over && !shown) return null
  return (
    <div className="drop">
      <div>
        <h1>Drop to open in Reprise</h1>
        <dl>
          <dt>folder</dt>
          <dd>→</dd>
          <dd>becomes the open project</dd>
          <dt>.ts .js .mjs</dt>
          <dd>→</dd>
          <dd>a new run with this script</dd>
        </dl>
        <p className="secondary">A drop is only read. What runs, you start yourself.</p>
      </div>
    </div>
  )
}
