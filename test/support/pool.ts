/** Runs jobs, a few at a time, and gives their results in order: processes are slow to start and few run at once. */
export async function inParallel<T, R>(items: readonly T[], job: (item: T) => Promise<R>, atOnce = 4): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await job(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
