/** Shares concurrent calls with the same key: all wait for one `make`. A later call runs it again. */
export function shareWork<Made>(): (key: string, make: () => Promise<Made>) => Promise<Made> {
  const running = new Map<string, Promise<Made>>()
  return (key, make) => {
    const known = running.get(key)
    if (known !== undefined) return known
    const made = make().finally(() => running.delete(key))
    running.set(key, made)
    return made
  }
}
