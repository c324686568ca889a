/**
 * Runs `work` for `items` in order, `concurrency` at a time, while `isAllowed` is true. After a failure none is started; those
 * in progress are awaited before the error is thrown, so that their files are not removed under them. `work` checks
 * `mayGoOn` before it starts anything further.
 */
export async function workThrough<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, mayGoOn: () => boolean) => Promise<void>,
  isAllowed: () => boolean = () => true,
): Promise<void> {
  let next = 0
  let hasFailed = false
  const mayGoOn = () => !hasFailed && isAllowed()
  const worker = async () => {
    try {
      while (next < items.length && mayGoOn()) await work(items[next++] as Item, mayGoOn)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, worker)
  const ends = await Promise.allSettled(workers)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
