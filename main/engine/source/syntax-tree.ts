/** Walks over syntax trees without recursion, so that no depth of nesting can end the process. */
import type { AnyNode } from 'acorn'

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The nodes directly below `node`, in source order for everything but template literals. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) children.push(item)
  }
  return children
}

export interface Visitor {
  enter: (node: AnyNode, parent: AnyNode | null) => void
  leave?: (node: AnyNode) => void
}

/** Visits `root` and everything below it, parents before children. */
export function walk(root: AnyNode, { enter, leave }: Visitor): void {
  const stack: { node: AnyNode; parent: AnyNode | null; leaving: boolean }[] = [{ node: root, parent: null, leaving: false }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.leaving) {
      leave?.(top.node)
      continue
    }
    enter(top.node, top.parent)
    if (leave !== undefined) stack.push({ ...top, leaving: true })
    const children = childrenOf(top.node)
    for (let index = children.length - 1; index >= 0; index--) {
      const node = children[index]
      if (node !== undefined) stack.push({ node, parent: top.node, leaving: false })
    }
  }
}
