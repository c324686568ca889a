import { foldEvaluations } from '../eligibility/index.ts'
import {
  applyLedger,
  EMPTY_LEDGER,
  type LedgerAction,
  type LedgerEntry,
  type LedgerState,
  RegistrationReader,
} from '../ledger/index.ts'
import {
  agrees,
  type EpisodeFact,
  type Evaluation,
  joinLists,
  listDisagreeing,
  type RegradeLine,
  shapeFact,
} from '../record/index.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import type { PlannedRun } from './planned-slots.ts'
import { type RunSummary, summariseRuns } from './run-summary.ts'

type Include = LedgerAction & { kind: 'include' }

type Stored = {
  suite: BuildBoardInput['suite']
  facts: readonly EpisodeFact[]
  runs: readonly PlannedRun[]
  evaluations: readonly Evaluation[]
  /** Keyed by run id; oldest first. */
  regrades: ReadonlyMap<string, readonly RegradeLine[]>
}

/**
 * Builds the input of a board: only runs that the ledger includes, with its provenance, shards and corrections. Used by
 * the server and by a rebuild from an archive.
 */
export function boardInput(stored: Stored, entries: readonly LedgerEntry[]): BuildBoardInput {
  const book = readBook(entries)
  return {
    suite: stored.suite,
    runs: receiveRuns(stored.runs, book),
    ledger: book.ledger,
    registrations: book.registrations,
    ...receiveEpisodes(stored, book),
  }
}

/** The whole ledger, read once. */
export type LedgerBook = Required<Pick<BuildBoardInput, 'ledger' | 'registrations'>> & {
  /** The newest `include` of every run, by run id. */
  included: ReadonlyMap<string, Include>
  /** The first `include` of every run, which decides the order regardless of the sender's dates. */
  first: ReadonlyMap<string, FirstInclude>
}

export function readBook(entries: readonly LedgerEntry[]): LedgerBook {
  return new LedgerReader().read(entries)
}

/** Reads a ledger as it grows, without processing earlier entries again. */
export class LedgerReader {
  readonly #registrations = new RegistrationReader()
  readonly #included = new Map<string, Include>()
  readonly #first = new Map<string, FirstInclude>()
  #ledger = EMPTY_LEDGER

  /** Returns the book after these entries, which follow those already read; a book returned earlier may grow. */
  read(entries: readonly LedgerEntry[]): LedgerBook {
    this.#ledger = applyLedger(entries, this.#ledger)
    for (const { sequence, action } of entries) {
      if (action.kind !== 'include') continue
      this.#included.set(action.target, action)
      if (!this.#first.has(action.target)) this.#first.set(action.target, { sequence, action })
    }
    return {
      ledger: this.#ledger,
      registrations: this.#registrations.read(entries),
      included: this.#included,
      first: this.#first,
    }
  }
}

/** Lists the runs that the ledger includes, in its order. */
export function receiveRuns(
  runs: readonly Pick<PlannedRun, 'runId' | 'plan'>[],
  { included, first }: LedgerBook,
): PlannedRun[] {
  return runs.flatMap(({ runId, plan }) => {
    const include = included.get(runId)
    if (!include) return []
    const run = { runId, plan, order: first.get(runId)?.sequence ?? 0 }
    return include.shard ? { ...run, shard: include.shard } : run
  })
}

/** Returns the episodes of runs that the ledger includes, with their evaluations and regrades. */
export function receiveEpisodes(
  { facts, evaluations, regrades }: Pick<Stored, 'facts' | 'evaluations' | 'regrades'>,
  book: LedgerBook,
): ReceivedEpisodes {
  const received = new ReceivedFacts()
  received.add(facts)
  return receiveFacts(
    { facts: received, evaluations: foldEvaluations(evaluations), regrades },
    book,
  )
}

type ReceivedEpisodes = Required<
  Pick<BuildBoardInput, 'facts' | 'evaluations' | 'regradeDisagreements'>
>

/** The same for episodes received before: the ledger's data about their runs is applied once. */
export function receiveFacts(
  stored: Pick<ReceivedEpisodes, 'evaluations'> &
    Pick<Stored, 'regrades'> & { facts: ReceivedFacts },
  book: LedgerBook,
): ReceivedEpisodes {
  const { facts, evaluations, regrades } = stored
  return {
    facts: facts.receive(book),
    evaluations,
    regradeDisagreements:
      regrades.size === 0
        ? NO_DISAGREEMENTS
        : findDisagreements({ facts: facts.list(), regrades }, book.ledger),
  }
}

const NO_DISAGREEMENTS: ReadonlySet<string> = new Set()

type RunFacts = {
  /** Stored facts; for included runs, with the receipt applied. */
  facts: EpisodeFact[]
  received: readonly EpisodeFact[]
  /** Summaries of the received facts; null = not summarised since one was added. */
  summaries: readonly RunSummary[] | null
  include: Include | undefined
  first: Include | undefined
}

/** Stored episodes, and the same episodes with the ledger's receipts applied. */
export class ReceivedFacts {
  readonly #runs = new Map<string, RunFacts>()
  size = 0
  /** The last one added. */
  newest: EpisodeFact | undefined

  get runIds(): string[] {
    return [...this.#runs.keys()]
  }

  /** Summaries of the episodes that were received last. */
  get summaries(): RunSummary[] {
    const included = [...this.#runs.values()].filter(({ include }) => include !== undefined)
    return included.flatMap((run) => {
      run.summaries ??= summariseRuns(run.received)
      return run.summaries
    })
  }

  list(): EpisodeFact[] {
    return [...this.#runs.values()].flatMap(({ facts }) => facts)
  }

  add(facts: readonly EpisodeFact[]): void {
    for (const fact of facts) {
      const run = this.#runs.get(fact.runId)
      if (run) run.facts.push(fact)
      else
        this.#runs.set(fact.runId, {
          facts: [fact],
          received: [],
          summaries: null,
          include: undefined,
          first: undefined,
        })
    }
    this.size += facts.length
    this.newest = facts.at(-1) ?? this.newest
  }

  /** Returns the episodes of runs that the ledger includes; those of a run stay the same list until one is added. */
  receive({ included, first: firsts }: LedgerBook): readonly EpisodeFact[] {
    const all: (readonly EpisodeFact[])[] = []
    for (const [runId, run] of this.#runs) {
      const [include, first] = [included.get(runId), firsts.get(runId)]
      if (run.include !== include || run.first !== first?.action) takeBack(run)
      Object.assign(run, { include, first: first?.action })
      if (!include) continue
      const at = run.received.length
      if (at < run.facts.length) {
        const receipt = receiptOf(include, first)
        const added = run.facts.slice(at).map((fact) => shapeFact(fact, receipt))
        run.received = [...run.received, ...added]
        run.summaries = null
        // Replaced in place: two copies of each would take twice the memory.
        for (const [index, fact] of added.entries()) run.facts[at + index] = fact
      }
      all.push(run.received)
    }
    return joinLists(all)
  }
}

/** Restores the stored facts: the next receipt may lack the sender, as older ones do. */
function takeBack(run: RunFacts): void {
  const { length } = run.received
  if (length === 0) return
  run.facts = run.facts.map((fact, at) => {
    const { voucher: _, account: __, ...stored } = fact
    return at < length ? stored : fact
  })
  run.received = []
  run.summaries = null
}

/**
 * The episodes whose newest regrade gave another verdict, unless the ledger already rescored them to that verdict. A
 * run's regrades cannot affect another run's episodes.
 */
function findDisagreements(
  { facts, regrades }: Pick<Stored, 'facts' | 'regrades'>,
  { rescored }: LedgerState,
): ReadonlySet<string> {
  const runs = new Map(facts.map(({ episodeId, runId }) => [episodeId, runId]))
  const open = [...regrades].flatMap(([runId, lines]) =>
    listDisagreeing(lines).filter(({ episodeId, after }) => {
      const settled = rescored.get(episodeId)
      return runs.get(episodeId) === runId && !(settled && agrees(settled, after))
    }),
  )
  return new Set(open.map(({ episodeId }) => episodeId))
}

/** The receipt of a run's episodes in the ledger; an older `include` lacks the sender and the policy. */
function receiptOf(
  { provenance, voucher, receipt: received }: Include,
  first: FirstInclude | undefined,
) {
  // Including a removed run again does not change when it was received.
  const receipt = { provenance, receivedUnder: first?.action.policyVersion ?? null }
  if (voucher === undefined) return receipt
  const account = first?.action.receipt?.account ?? received?.account
  return { ...receipt, voucher, ...(account === undefined ? {} : { account }) }
}

/** The newest `include` of every run, by run id; a later `remove` does not take it away. */
export function listIncluded(entries: readonly LedgerEntry[]): Map<string, Include> {
  const included = new Map<string, Include>()
  for (const { action } of entries) {
    if (action.kind === 'include') included.set(action.target, action)
  }
  return included
}

type FirstInclude = { sequence: number; action: Include }
