import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  SAMPLE_AGENT,
  SAMPLE_SETTINGS,
  sampleBoardSuite,
  sampleRun,
} from '#lib/testing/factories/sample-run.ts'
import { POLICY } from '../eligibility/index.ts'
import {
  chainEntry,
  EMPTY_LEDGER,
  type LedgerAction,
  type LedgerEntry,
  type LedgerState,
  RegistrationReader,
  readRegistrations,
} from '../ledger/index.ts'
import { type EpisodeFact, rowPartOf } from '../record/index.ts'
import { joinBoard, serializeBoard } from './board-texts.ts'
import { buildBoard } from './build-board.ts'
import { findCopies } from './build-eligibility.ts'
import { type CopiesByPart, IncrementalBoard } from './incremental-board.ts'
import { type RunSummary, summariseRuns } from './run-summary.ts'

const suite = sampleBoardSuite(6)
const policy = { ...POLICY, modelRepetitions: 1 }
const CORRECTION = { sequence: 1, at: '2026-11-03T00:00:00.000Z', reason: 'a test' }
const RESCORE = { ...CORRECTION, status: 'solved' as const, verdict: 'pass' as const }

const BIG = 'agent-d'

/** Rows that affect each other: a look-alike, a second sender, similar limits, copies, a fault, voids. */
const RUNS = [
  { name: 'agent-a', provenance: 'local' as const },
  { name: 'agent-a', provenance: 'token' as const, voucher: 'token:x' },
  { name: 'Agent-a', provenance: 'oidc' as const, voucher: 'workflow:y z' },
  { name: 'agent-b', provenance: 'local' as const, timeoutMs: 62_000 },
  { name: 'agent-b', provenance: 'local' as const },
  { name: 'agent-b', provenance: 'local' as const, fault: { fired: true, recovered: true } },
  // An entry of hundreds of episodes.
  ...Array.from({ length: 3 }, () => ({ name: BIG, provenance: 'local' as const })),
  // Runs of a few episodes each, which a row merges with their neighbours.
  ...Array.from({ length: 14 }, () => ({ name: 'agent-c', provenance: 'local' as const })),
].map(({ name, provenance, timeoutMs = 60_000, fault = null, ...sent }, index) =>
  sampleRun({
    suite: name === 'agent-c' ? { ...suite, tasks: suite.tasks.slice(0, 2) } : suite,
    repetitions: name === BIG ? 20 : 2,
    runId: `run_${String(index).padStart(8, '0')}`,
    subject: { ...SAMPLE_AGENT, name },
    settings: { ...SAMPLE_SETTINGS, timeoutMs },
    status: (task, repetition) => {
      if ((task + index) % 6 === 5 && repetition === 1) return 'void'
      return (task * 7 + repetition + index) % 3 ? 'solved' : 'unsolved'
    },
    change: (fact) => ({
      ...sent,
      provenance,
      fault,
      ...(fact.status === 'void' ? { verdict: null } : {}),
      origin: {
        harness: { version: index === 2 ? '9.9.9' : '0.1.0', commit: null },
        machine: {},
        tests: null,
        // The second run repeats the content of the first one from the third task on.
        marks:
          index < 2 && fact.taskId > 'task-3'
            ? [`used:${fact.taskId} ${fact.repetition}`]
            : [`used:${fact.episodeId}`],
      },
    }),
  }),
)
const FACTS = RUNS.flatMap(({ facts }) => facts)
const PLANNED = RUNS.map(({ run }, order) => ({ ...run, order }))

type Change = {
  kind: 'arrive' | 'invalidate' | 'rescore' | 'remove' | 'regrade' | 'register' | 'include'
  at: number
}

/** All runs of one name have the same sender. */
const senderOf = (name: string) => ({
  provenance: 'token' as const,
  voucher: `of ${name}`,
  name,
  bodyDigest: null,
})

function includeOf({ runId, plan }: (typeof PLANNED)[number]): LedgerAction {
  const { planDigest, frozenAt } = plan
  const receipt = { ...senderOf(plan.subject.name), receivedAt: CORRECTION.at, frozenAt }
  const include = { kind: 'include' as const, target: runId, planDigest, shard: null }
  return { ...include, provenance: 'token', receipt }
}

/** Registers two runs of the plan, or of a plan known by its digest alone. */
function registerOf({ plan }: (typeof PLANNED)[number], isBlind: boolean): LedgerAction {
  const { suiteId, suiteDigest, subject, settings, frozenAt } = plan
  const episodes = 12
  return {
    kind: 'register',
    target: plan.planDigest,
    runs: [],
    expected: 2,
    plan: isBlind ? null : { suiteId, suiteDigest, subject, settings, frozenAt, episodes },
    sender: senderOf(subject.name),
  }
}

/** The state of a server: received episodes, and corrections. */
class Server {
  readonly facts = new Set<EpisodeFact>()
  readonly regradeDisagreements = new Set<string>()
  readonly #removed = new Map<string, typeof CORRECTION>()
  readonly #invalidated = new Map<string, typeof CORRECTION>()
  readonly #rescored = new Map<string, typeof RESCORE>()
  /** Facts by row part and run: lists that stay the same until an episode is added, as in the worker. */
  readonly #lists = new Map<string, Map<string, readonly EpisodeFact[]>>()

  readonly #summaries = new Map<readonly EpisodeFact[], readonly RunSummary[]>()

  readonly #entries: LedgerEntry[] = []
  /** Read entry by entry, as in the worker. */
  readonly #reader = new RegistrationReader()

  /** Returns the episodes that changed. */
  apply({ kind, at }: Change): EpisodeFact[] {
    const fact = FACTS[at % FACTS.length] as EpisodeFact
    const planned = PLANNED.find(({ runId }) => runId === fact.runId) as (typeof PLANNED)[number]
    if (kind === 'register') this.#write(registerOf(planned, at % 3 === 0))
    if (kind === 'remove') this.#write({ kind, target: fact.runId })
    if (kind === 'include') this.#write(includeOf(planned))
    if (kind === 'register') return []
    if (kind === 'include') {
      this.#removed.delete(fact.runId)
      return FACTS.filter(({ runId }) => runId === fact.runId)
    }
    if (kind === 'arrive') this.#arrive(fact, planned)
    else if (kind === 'invalidate') this.#invalidated.set(fact.episodeId, CORRECTION)
    else if (kind === 'remove') this.#removed.set(fact.runId, CORRECTION)
    else if (kind === 'regrade') this.regradeDisagreements.add(fact.episodeId)
    else this.#rescored.set(fact.episodeId, RESCORE)
    return kind === 'remove' ? FACTS.filter(({ runId }) => runId === fact.runId) : [fact]
  }

  #write(action: LedgerAction): void {
    const draft = { author: 'tester', reason: 'a test', action }
    const entry = chainEntry(this.#entries.at(-1) ?? null, draft, { now: CORRECTION.at })
    this.#entries.push(entry)
    this.#reader.read([entry])
  }

  #arrive(fact: EpisodeFact, planned: (typeof PLANNED)[number]): void {
    if (this.facts.has(fact)) return
    const isFirst = ![...this.facts].some(({ runId }) => runId === fact.runId)
    if (isFirst) this.#write(includeOf(planned))
    this.facts.add(fact)
    const runs = this.#lists.get(rowPartOf(fact)) ?? new Map<string, readonly EpisodeFact[]>()
    this.#lists.set(rowPartOf(fact), runs)
    runs.set(fact.runId, [...(runs.get(fact.runId) ?? []), fact])
  }

  /** Summaries are kept until an episode is added to the run, as in the worker. */
  #read(run: readonly EpisodeFact[]): readonly RunSummary[] {
    const found = this.#summaries.get(run) ?? summariseRuns(run)
    this.#summaries.set(run, found)
    return found
  }

  get frame() {
    const runIds = new Set([...this.facts].map(({ runId }) => runId))
    const runs = PLANNED.filter(({ runId }) => runIds.has(runId))
    const ledger: LedgerState = {
      ...EMPTY_LEDGER,
      removed: this.#removed,
      invalidated: this.#invalidated,
      rescored: this.#rescored,
    }
    const registrations = readRegistrations(this.#entries)
    return { suite, policy, runs, ledger, registrations }
  }

  fromNothing(): string {
    const { frame, facts, regradeDisagreements } = this
    const evaluations = new Map()
    return serializeBoard(
      buildBoard({ ...frame, facts: [...facts], regradeDisagreements, evaluations }),
    )
  }

  bring(keeper: IncrementalBoard, parts: Iterable<string>): string {
    const { regradeDisagreements } = this
    const frame = { ...this.frame, registrations: this.#reader.read([]) }
    const facts = [...this.facts]
    const copies = new Map<string, Map<string, string>>()
    for (const [episodeId, from] of findCopies(facts, frame.runs)) {
      const part = rowPartOf(facts.find((fact) => fact.episodeId === episodeId) as EpisodeFact)
      copies.set(part, (copies.get(part) ?? new Map<string, string>()).set(episodeId, from))
    }
    const put = (part: string) => {
      const own = [...(this.#lists.get(part)?.values() ?? [])].flat()
      const found = {
        facts: own,
        regradeDisagreements,
        evaluations: new Map(),
        summaries: [...(this.#lists.get(part)?.values() ?? [])].flatMap((run) => this.#read(run)),
      }
      keeper.put(part, frame, found, copies satisfies CopiesByPart)
    }
    for (const part of parts) put(part)
    for (const part of keeper.listOutdated(frame, copies)) put(part)
    expect(keeper.listOutdated(frame, copies)).toEqual([])
    return joinBoard(keeper.build(frame).texts)
  }
}

const change = fc.record({
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constant('arrive' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom('invalidate' as const, 'rescore' as const, 'regrade' as const),
    },
    { weight: 2, arbitrary: fc.constantFrom('remove' as const, 'include' as const) },
    { weight: 2, arbitrary: fc.constant('register' as const) },
  ),
  at: fc.nat(FACTS.length - 1),
})

describe('a board that is kept part by part', () => {
  it('has them for an entry of hundreds of episodes, through corrections and restores', () => {
    const server = new Server()
    const keeper = new IncrementalBoard()
    const own = FACTS.flatMap(({ subject }, at) => (subject.name === BIG ? [at] : []))
    const [first = 0, second = 0] = own
    for (const at of own.slice(0, -2)) server.apply({ kind: 'arrive', at })
    const steps: Change[] = [
      ...own.slice(-2).map((at) => ({ kind: 'arrive' as const, at })),
      { kind: 'rescore', at: first },
      { kind: 'invalidate', at: second },
      { kind: 'regrade', at: own[50] ?? 0 },
      { kind: 'remove', at: own[150] ?? 0 },
      { kind: 'include', at: own[150] ?? 0 },
    ]
    const part = rowPartOf(FACTS[first] as EpisodeFact)
    const seen = new Set<string>()
    for (const step of steps) {
      server.apply(step)
      const bytes = server.bring(keeper, [part])
      expect(bytes).toBe(server.fromNothing())
      seen.add(bytes)
    }
    // Including the run again restores the board from before its removal.
    expect(seen.size).toBe(steps.length - 1)
  })

  it('has the bytes of one that is built from nothing, whatever happened in whatever order', () => {
    const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 40 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(batches, (all) => {
        const server = new Server()
        const keeper = new IncrementalBoard()
        for (const batch of all) {
          const touched = batch.flatMap((one) => server.apply(one))
          expect(server.bring(keeper, new Set(touched.map(rowPartOf)))).toBe(server.fromNothing())
        }
      }),
      { numRuns: 15 },
    )
  })

  it('has them for all episodes at once, and for one after the other', () => {
    const server = new Server()
    const keeper = new IncrementalBoard()
    for (const [at, fact] of FACTS.entries()) {
      if (fact.subject.name === BIG) continue
      server.apply({ kind: 'arrive', at })
      const bytes = server.bring(keeper, [rowPartOf(fact)])
      if (at % 12 === 11) expect(bytes).toBe(server.fromNothing())
    }
    const names = new Set([...server.facts].map(rowPartOf))
    expect(server.bring(new IncrementalBoard(), names)).toBe(server.fromNothing())
    expect(new Set(keeper.partNames)).toEqual(names)
  })
})
