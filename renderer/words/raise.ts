/** The next higher limit to offer: half as much again, as a round number that reads well. */
export function raised(limit: number): number {
  const wanted = limit * 1.5
  const step = 10 ** Math.floor(Math.log10(wanted)) / 2
  // Less a hair, so that 0.6000000000000001 is not taken for more than 0.6.
  const steps = Math.ceil(wanted / step - 1e-9)
  return Number((steps * step).toPrecision(12))
}
