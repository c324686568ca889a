import { publicStamp } from '../../db/change-store.ts'
import { env } from '../../env.ts'
import { processWide } from '../../process-wide.ts'

type Cached = { state: string; results: Map<string, Promise<unknown>> }

/** Cached results, more than the suites, names and versions requested at the same time. */
const MAX_RESULTS = 64

/**
 * Caches `read`: while the public data is unchanged, the same arguments return the same result, which callers must not
 * change. Only for data that comes from the database alone.
 */
export function byStamp<A extends readonly (string | null)[], R>(
  name: string,
  read: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  const kept = processWide(`by stamp: ${name}`, (): Cached => ({ state: '', results: new Map() }))
  return async (...args) => {
    const stamp = await publicStamp()
    if (stamp === null) return read(...args)
    const state = `${env().database} ${stamp}`
    if (kept.state !== state) Object.assign(kept, { state, results: new Map() })
    const { results } = kept
    const key = JSON.stringify(args)
    const known = results.get(key) as Promise<R> | undefined
    if (known !== undefined) return known
    const result = read(...args)
    const [oldest] = results.keys()
    if (results.size >= MAX_RESULTS && oldest !== undefined) results.delete(oldest)
    results.set(key, result)
    result.catch(() => results.delete(key))
    return result
  }
}
