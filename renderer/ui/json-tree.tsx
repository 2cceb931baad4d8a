/** A JSON value as a tree that opens level by level; long lists show their beginning and the way to the rest. */
import { useState } from 'react'
import type { Json } from '../../shared/json.ts'
import { counted } from '../words/quantity.ts'
import { Icon } from './icon.tsx'

const SHOWN = 50

export function JsonTree({ value }: { value: Json }) {
  return (
    <div className="text-block tree">
      <Node name={null} value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name: string | null; value: Json; depth: number }) {
  const [all, setAll] = useState(false)
  const key = name === null ? null : <span className="tree-key">{name}: </span>
  if (value === null || typeof value !== 'object') {
    return (
      <div className={depth === 0 ? undefined : 'leaf'}>
        {key}
        {typeof value === 'string' ? JSON.stringify(value) : String(value)}
      </div>
    )
  }
  const list = Array.isArray(value)
  const entries: [string, Json][] = list ? value.map((item, index) => [String(index), item]) : Object.entries(value)
  const size = list ? counted(entries.length, 'item') : counted(entries.length, 'key')
  return (
    <details open={depth < 2 && entries.length <= SHOWN}>
      <summary>
        <Icon name="right" />
        {key}
        <span className="tree-size">
          {list ? '[…]' : '{…}'} {size}
        </span>
      </summary>
      <ul>
        {(all ? entries : entries.slice(0, SHOWN)).map(([entry, item]) => (
          <li key={entry}>
            <Node name={entry} value={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {!all && entries.length > SHOWN && (
        <button type="button" className="link tree-more" onClick={() => setAll(true)}>
          Show all {entries.length}
        </button>
      )}
    </details>
  )
}
