/** Width of a bar's label as it will be drawn, so that it is put where it fits whole. */
const known = new Map<string, number>()
let pen: CanvasRenderingContext2D | null = null

export function textWidth(text: string): number {
  const measured = known.get(text)
  if (measured !== undefined) return measured
  if (pen === null) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen !== null) pen.font = '500 11px system-ui, sans-serif'
  }
  const width = pen?.measureText(text).width ?? text.length * 6.5
  if (known.size > 5000) known.clear()
  known.set(text, width)
  return width
}
