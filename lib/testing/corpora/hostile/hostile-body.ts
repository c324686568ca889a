import { digestJson } from '#lib/domain/digest/index.ts'
import { digestPlan, identifyEpisode } from '#lib/domain/record/index.ts'
import type { Db } from '../../../db/db.ts'
import { smallBundle } from '../small-bundle.ts'

// biome-ignore lint/suspicious/noExplicitAny: untrusted JSON, deliberately changed into invalid shapes
export type Loose = any

/** A request: a body with headers, or raw bytes for a request with false headers. */
export type Sent = {
  body: Buffer | string
  headers?: Record<string, string>
  /** Complete raw requests; `HOST` and `TOKEN` are replaced. */
  raw?: string
}

/** A body that must be refused. */
export type HostileBody = {
  name: string
  make: () => Promise<Sent | Buffer | string> | Sent | Buffer | string
  /** Expected HTTP status; 0 = the connection ends without a response. */
  status: number
  /** Expected text of the response. */
  reason: string
  /** A valid body that is stored first. */
  first?: () => string
  /** Prepares the database. */
  prepare?: (db: Db) => Promise<void>
}

/** A row of the table: name, make, status, reason. */
export function body(
  name: string,
  make: HostileBody['make'],
  status: number,
  reason: string,
  more: Pick<HostileBody, 'first' | 'prepare'> = {},
): HostileBody {
  return { name, make, status, reason, ...more }
}

/** A valid bundle with one change, and nothing recomputed. */
export function edited(edit: (bundle: Loose) => void, from = smallBundle()): string {
  const bundle: Loose = JSON.parse(from)
  edit(bundle)
  return JSON.stringify(bundle)
}

/** A bundle with a changed first episode that is sealed again. */
export function forged(change: (episode: Loose) => void, from = smallBundle()): string {
  return edited((bundle) => {
    change(bundle.episodes[0])
    bundle.episodes[0] = reseal(bundle.episodes[0])
  }, from)
}

/** A changed bundle in which everything is frozen, named and sealed again. */
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
  // Computed here, because the product's sealing rejects such content.
  return { ...body, seal: digestJson(body) }
}

/** Replaces one occurrence in a text, and checks that it exists. */
export function swapped(what: string, by: string, from = smallBundle()): string {
  if (!from.includes(what)) throw new Error(`the good bundle has no ${what}`)
  return from.replace(what, () => by)
}
