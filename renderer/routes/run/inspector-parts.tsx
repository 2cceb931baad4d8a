/** What every face of the inspector is made of: its head, a list of facts, blocks that can be copied. */
import type { Json } from '../../../shared/json.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { TextBlock } from '../../ui/text-block.tsx'

export function InspectorHead({ title, children }: { title: string; children: React.ReactNode }) {
  const { window: frame } = useStores()
  return (
    <header className="inspector-head">
      <h2 tabIndex={-1}>{title}</h2>
      <Button look="quiet" icon aria-label="Close inspector" title="Close inspector" onClick={() => frame.getState().setInspector(false)}>
        <Icon name="close" />
      </Button>
      <p>{children}</p>
    </header>
  )
}

export function FactList({ facts }: { facts: readonly [string, React.ReactNode][] }) {
  return (
    <dl className="facts">
      {facts.map(([term, value]) => (
        <Fact key={term} term={term} value={value} />
      ))}
    </dl>
  )
}

function Fact({ term, value }: { term: string; value: React.ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  )
}

export function Block(
  props: { title: string; note?: string; error?: boolean; children?: React.ReactNode } & ({ text: string } | { json: Json }),
) {
  const text = 'text' in props ? props.text : JSON.stringify(props.json, null, 2)
  return (
    <section className="block">
      <header>
        <h3>{props.title}</h3>
        {props.note !== undefined && <span>{props.note}</span>}
        <CopyButton what={props.title} text={() => text} />
        {props.children}
      </header>
      {'json' in props ? <JsonTree value={props.json} /> : <TextBlock label={props.title} text={text} error={props.error === true} />}
    </section>
  )
}
