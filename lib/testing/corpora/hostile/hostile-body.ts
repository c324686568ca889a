import { digestJson, digestPlan, identifyEpisode } from '#lib/domain/record/index.ts'
import type { Db } from '../../../db/db.ts'
import { smallBundle } from '../small-bundle.ts'

// biome-ignore lint/suspicious/noExplicitAny: untrusted JSON, taken apart and put together wrongly
export type Loose = any

/** What goes over the wire: a body with headers, or bytes as they are, for a request with false headers. */
export type Sent = {
  body: Buffer | string
  headers?: Record<string, string>
  /** Whole requests, head and all; `HOST` and `TOKEN` are put in. */
  raw?: string
}

/** One body that may not get in. */
export type HostileBody = {
  name: string
  make: () => Promise<Sent | Buffer | string> | Sent | Buffer | string
  /** The answer's status over HTTP; 0 = the connection ends without one. */
  status: number
  /** What the answer has to say. */
  reason: string
  /** A good body that is stored before. */
  first?: () => string
  /** What is in the database before. */
  prepare?: (db: Db) => Promise<void>
}

/** A table row of a hostile body: name, make, status, reason. */
export function body(
  name: string,
  make: HostileBody['make'],
  status: number,
  reason: string,
  more: Pick<HostileBody, 'first' | 'prepare'> = {},
): HostileBody {
  return { name, make, status, reason, ...more }
}

/** The good bundle with something of it changed, and nothing put right. */
export function edited(edit: (bundle: Loose) => void, from = smallBundle()): string {
  const bundle: Loose = JSON.parse(from)
  edit(bundle)
  return JSON.stringify(bundle)
}

/** Its first episode changed, and then sealed as a forger would. */
export function forged(change: (episode: Loose) => void, from = smallBundle()): string {
  return edited((bundle) => {
    change(bundle.episodes[0])
    bundle.episodes[0] = reseal(bundle.episodes[0])
  }, from)
}

/** Changed anywhere, and then frozen, named and sealed again from top to bottom. */
export function forgedBundle(change: (bundle: Loose) => void, from = smallBundle()): string {
  return edited((bundle) => {
    change(bundle)
    bundle.plan.planDigest = digestPlan(bundle.plan)
    bundle.episodes = bundle.episodes.map((episode: Loose) =>
      reseal({ ...episode, planDigest: bundle.plan.planDigest }),
    )
  }, from)
}

export function reseal({ seal: _, ...episode }: Loose): Loose {
  const body = { ...episode, episodeId: identifyEpisode(episode) }
  // By hand: our sealing refuses what a forger would not.
  return { ...body, seal: digestJson(body) }
}

/** The same text with one place of it replaced; that it stands there is made sure of. */
export function swapped(what: string, by: string, from = smallBundle()): string {
  if (!from.includes(what)) throw new Error(`the good bundle has no ${what}`)
  return from.replace(what, () => by)
}
