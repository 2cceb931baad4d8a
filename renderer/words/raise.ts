/** The next higher limit to offer: half as much again, as a round number that reads well. */
export function raised(limit: number): number {
  const wanted = limit * 1.5
  const step = 10 ** Math.floor(Math.log10(wanted)) / 2
  return Math.ceil(wanted / step) * step
}
