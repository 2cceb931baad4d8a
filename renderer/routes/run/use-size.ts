/** Width and height of an element, kept up to date; 0 until it is laid out. */
import { useLayoutEffect, useState } from 'react'

export function useWidth(find: () => Element | null | undefined): number {
  const [width, setWidth] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is found once, when its parent is laid out
  useLayoutEffect(() => {
    const element = find()
    if (element == null) return
    const observer = new ResizeObserver(() => setWidth(element.getBoundingClientRect().width))
    observer.observe(element)
    setWidth(element.getBoundingClientRect().width)
    return () => observer.disconnect()
  }, [])
  return width
}

/** @param again the element may be another one, or gone, when this changes */
export function useHeight(find: () => Element | null | undefined, again: unknown): number {
  const [height, setHeight] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is found anew when `again` says so
  useLayoutEffect(() => {
    const element = find()
    if (element == null) return setHeight(0)
    const measure = () => setHeight(Math.round(element.getBoundingClientRect().height))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [again])
  return height
}
