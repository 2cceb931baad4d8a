/** The figures as a table for people, with what they were measured on. */
import os from 'node:os'

export function machine() {
  const [cpu] = os.cpus()
  return {
    ...{ cpu: cpu?.model ?? 'unknown', cores: os.cpus().length, memoryGb: Math.round(os.totalmem() / 2 ** 30) },
    ...{ system: `${os.type()} ${os.release()}`, node: process.version, load: os.loadavg()[0] },
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Three digits that count. */
export function shown(value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}

/**
 * One figure against its goal. `ratio` is ours over the limit (has to be at most `most`), or a peer's over ours (at least `least`).
 * @param {{ goal: number, what: string, ours: string, than: string, ratio: number, most?: number, least?: number }} figure
 */
function verdict({ ratio, most, least }) {
  if (most !== undefined) return ratio <= most ? 'met' : 'missed'
  if (least !== undefined) return ratio >= least ? 'met' : 'missed'
  return '–'
}

function goalOf({ most, least }) {
  if (most !== undefined) return `≤ ${shown(most)} ×`
  return least === undefined ? '–' : `≥ ${shown(least)} ×`
}

export function table({ date, machine, reps, seconds, peers, results }) {
  const lines = results.map((figure) => {
    if (figure.skipped !== undefined) return `| ${figure.goal} | ${figure.what} | | | | | skipped: ${figure.skipped} |`
    const { goal, what, ours, than, ratio } = figure
    return `| ${goal} | ${what} | ${ours} | ${than} | ${shown(ratio)} × | ${goalOf(figure)} | ${verdict(figure)} |`
  })
  const others = peers.map(
    (peer) => `- ${peer.title}: ${peer.skipped === undefined ? '' : `skipped: ${peer.skipped}; `}${peer.versions.join(', ')}`,
  )
  return `${[
    `${date}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, load ${shown(machine.load)} at the end; medians of ${reps}; ${seconds} s.`,
    ...(others.length > 0 ? ['', ...others] : []),
    '',
    '| # | what | ours | against | ratio | goal | |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')}\n`
}
