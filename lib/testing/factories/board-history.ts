import type { BoardRow } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'
import { boardInput } from '#lib/domain/board/ledger-input.ts'
import type { PlannedRun } from '#lib/domain/board/planned-slots.ts'
import { chainEntry, type LedgerAction, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import {
  type EpisodeFact,
  entriesOf,
  freezePlan,
  type Plan,
  type PlannedSlot,
} from '#lib/domain/record/index.ts'
import { type SampleRunOptions, sampleBoardSuite, sampleRun } from './sample-run.ts'

export const suite = sampleBoardSuite(10)
export const START = Date.parse('2026-11-01T00:59:00.000Z')
export const MINE = { voucher: 'token:mine', account: 'account:me' }
export const MY_OTHER_TOKEN = { voucher: 'token:new', account: 'account:me' }
export const WORKFLOW = { voucher: 'workflow:https://ci 4711', account: 'owner:https://ci 1' }
type By = { voucher: string; account?: string }

/** A ledger and the runs it includes, written in the order of events. */
export class History {
  readonly #entries: LedgerEntry[] = []
  readonly #facts: EpisodeFact[] = []
  readonly #runs: PlannedRun[] = []

  #write(action: LedgerAction): LedgerEntry {
    const now = new Date(START + this.#entries.length).toISOString()
    const draft = { author: 'tester', reason: 'because', action }
    const entry = chainEntry(this.#entries.at(-1) ?? null, draft, { now })
    this.#entries.push(entry)
    return entry
  }

  register(plan: Plan, runIds: readonly string[], by: By | null, shards = 1): LedgerEntry {
    const { suiteId, suiteDigest, subject, settings, frozenAt } = plan
    return this.#write({
      kind: 'register',
      target: plan.planDigest,
      expected: runIds.length,
      plan: {
        suiteId,
        suiteDigest,
        subject,
        settings,
        frozenAt,
        episodes: 30,
        ...(plan.arms && { entries: entriesOf(plan) }),
      },
      runs: runIds.map((runId, at) => ({
        runId,
        shard: shards > 1 ? { index: at + 1, count: shards } : null,
      })),
      sender: senderOf(by),
    })
  }

  /** Receives episodes; includes the run the first time. */
  receive(run: PlannedRun, facts: readonly EpisodeFact[], by: By | null): void {
    const isNew = !this.#runs.some(({ runId }) => runId === run.runId)
    this.#facts.push(...facts)
    if (!isNew || facts.length === 0) return
    this.#runs.push(run)
    this.include(run, by)
  }

  include(run: PlannedRun, by: By | null): void {
    const { runId, plan, shard = null } = run
    const receipt = { ...senderOf(by), receivedAt: new Date(START).toISOString(), frozenAt: null }
    this.#write({
      kind: 'include',
      target: runId,
      planDigest: plan.planDigest,
      shard,
      receipt,
      ...(by ? { provenance: 'token', voucher: by.voucher } : { provenance: 'local' }),
    } as LedgerAction)
  }

  correct(action: LedgerAction): void {
    this.#write(action)
  }

  /** `isUntouched`: true for attempts that left no work. */
  rows(isUntouched: (fact: EpisodeFact) => boolean = () => false): BoardRow[] {
    const stored = { suite, facts: this.#facts, runs: this.#runs, regrades: new Map() }
    const input = boardInput({ ...stored, evaluations: [] }, this.#entries)
    const agreed = { state: 'agreed', reason: null, isModelSeen: true } as const
    const evaluations = new Map(
      this.#facts.map((fact) => [
        fact.episodeId,
        { ...agreed, ...(isUntouched(fact) && { isUntouched: true }) },
      ]),
    )
    return buildBoard({ ...input, evaluations }).rows
  }
}

function senderOf(by: By | null) {
  const name = by?.voucher ?? 'server'
  const sender = by ?? { voucher: 'this server' }
  return { provenance: by ? 'token' : 'local', ...sender, name, bodyDigest: null } as const
}

type Options = Partial<SampleRunOptions> & { by?: By | null; registers?: boolean }

/** Registers a run and receives some of its episodes. */
export function measure(
  history: History,
  runId: string,
  { by = MINE, registers = true, ...options }: Options = {},
  came: (fact: EpisodeFact, at: number) => boolean = () => true,
) {
  const made = sampleRun({ suite, repetitions: 3, runId, ...options })
  if (registers) history.register(made.run.plan, [runId], by)
  history.receive(made.run, made.facts.filter(came), by)
  return made
}

/** Receives a finished top-up of these slots. */
export function topUp(
  history: History,
  of: ReturnType<typeof measure>,
  slots: PlannedSlot[],
  by: By | null,
) {
  const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = of.run.plan
  const repetitionsOf = (taskId: string) =>
    slots.filter((slot) => slot.taskId === taskId).map((_slot, at) => 90 + at)
  const plan = freezePlan(
    {
      ...draft,
      tasks: draft.tasks.flatMap((task) => {
        const repetitions = repetitionsOf(task.taskId)
        return repetitions.length > 0 ? [{ ...task, repetitions }] : []
      }),
      topUpOf: { rowId: `row_${'0'.repeat(24)}`, runIds: [of.run.runId] },
    },
    { now: '2026-11-01T00:00:01.000Z' },
  )
  const runId = 'run_topup0001'
  history.register(plan, [runId], by)
  const facts = plan.tasks.flatMap(({ taskId, repetitions = [] }) =>
    repetitions.map((repetition) => ({
      ...(of.facts.find((fact) => fact.taskId === taskId) as EpisodeFact),
      runId,
      planDigest: plan.planDigest,
      repetition,
      episodeId: `ep_${taskId}_${repetition}`,
      status: 'solved' as const,
      verdict: 'pass' as const,
    })),
  )
  history.receive({ runId, plan }, facts, by)
}

/** Returns an attempt that did not count, and the next one of its slot. */
export function again(fact: EpisodeFact, status: 'void' | 'cancelled'): EpisodeFact[] {
  return [
    { ...fact, status, verdict: null, episodeId: `${fact.episodeId}_before` },
    { ...fact, attempt: 2 },
  ]
}

export const unjudged = (fact: EpisodeFact): Partial<EpisodeFact> =>
  fact.status === 'void' ? { verdict: null } : {}
export const local = (): Partial<EpisodeFact> => ({ provenance: 'local' })

/** Every other slot, repetition by repetition, as in a shard. */
export function shardFacts(facts: readonly EpisodeFact[], part: number): EpisodeFact[] {
  const ids = suite.tasks.map(({ taskId }) => taskId)
  const place = ({ taskId, repetition }: EpisodeFact) => (repetition - 1) * 10 + ids.indexOf(taskId)
  return facts.filter((fact) => place(fact) % 2 === part)
}

export function onMachine(machine: string): Partial<EpisodeFact> {
  const harness = { version: '0.1.0', commit: 'a' }
  return { origin: { harness, machine: { machine }, tests: null, marks: [] } }
}
