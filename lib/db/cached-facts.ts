import { ReceivedFacts } from '../domain/board/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import { type EvaluationState, foldEvaluations } from '../domain/eligibility/index.ts'
import type { Db } from './db.ts'
import { listPartEvaluations } from './evaluation-store.ts'
import { listPartFacts } from './fact-store.ts'

/** About 40 MB: eight parts of 5,000 episodes that runs are adding to. */
const MAX_FACTS = 40_000

type PartFacts = {
  facts: ReceivedFacts
  evaluations: Map<string, EvaluationState>
  /** Number of the last fact included. */
  last: number
}

/** Facts of recently read parts, so that only new episodes are read. */
export class CachedFacts {
  readonly #suiteDigest: Digest
  /** In order of use, least recent first. */
  readonly #parts = new Map<string, PartFacts>()
  #size = 0

  constructor(suiteDigest: Digest) {
    this.#suiteDigest = suiteDigest
  }

  /** Returns all facts of a part. Without `isKept` none are cached, as for building a whole board. */
  async read(db: Db, part: string, { isKept }: { isKept: boolean }): Promise<PartFacts> {
    const known = this.#take(part)
    const found = (known && (await this.#extend(db, part, known))) ?? (await this.#load(db, part))
    if (isKept) this.#put(part, found)
    return found
  }

  /** Adds the new facts to a cached part. Null = facts were replaced, so the part has to be read again. */
  async #extend(db: Db, part: string, known: PartFacts): Promise<PartFacts | null> {
    const found = await listPartFacts(db, this.#suiteDigest, part, known.last, known.facts.newest)
    const { facts, last, count, hasEvaluations } = found
    if (known.facts.size + facts.length !== count) return null
    const evaluations = hasEvaluations
      ? await listPartEvaluations(db, this.#suiteDigest, part, known.last)
      : []
    known.facts.add(facts)
    for (const [episodeId, state] of foldEvaluations(evaluations))
      known.evaluations.set(episodeId, state)
    return { ...known, last }
  }

  async #load(db: Db, part: string): Promise<PartFacts> {
    const { facts, last, hasEvaluations } = await listPartFacts(db, this.#suiteDigest, part)
    const evaluations = hasEvaluations ? await listPartEvaluations(db, this.#suiteDigest, part) : []
    const received = new ReceivedFacts()
    received.add(facts)
    return { facts: received, evaluations: foldEvaluations(evaluations), last }
  }

  #take(part: string): PartFacts | undefined {
    const known = this.#parts.get(part)
    this.#parts.delete(part)
    this.#size -= known?.facts.size ?? 0
    return known
  }

  #put(part: string, found: PartFacts): void {
    this.#parts.set(part, found)
    this.#size += found.facts.size
    for (const [oldest] of this.#parts) {
      if (this.#size <= MAX_FACTS) return
      this.#take(oldest)
    }
  }
}
