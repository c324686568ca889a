import type { EpisodeFact } from './episode-fact.ts'
import { isSameRecord } from './row-identity.ts'

/**
 * Episodes of one run and task that differ only in their ids, repetitions, times and amounts: rules and figures that
 * read none of these need one of each kind.
 */
export type EpisodeKind = {
  /** The one that started first. */
  fact: EpisodeFact
  episodes: number
  lastStartedAt: string
}

/** Groups episodes by kind, in order of appearance; those of one run have to follow each other. */
export function listKinds(facts: readonly EpisodeFact[]): EpisodeKind[] {
  const kinds: EpisodeKind[] = []
  let tasks = new Map<string, EpisodeKind[]>()
  let before: EpisodeFact | undefined
  for (const fact of facts) {
    if (fact.runId !== before?.runId) tasks = new Map()
    before = fact
    const alike = tasks.get(fact.taskId) ?? []
    const known = alike.find((kind) => isSameKind(kind.fact, fact))
    if (known) {
      add(known, fact)
      continue
    }
    const kind = { fact, episodes: 1, lastStartedAt: fact.startedAt }
    tasks.set(fact.taskId, [...alike, kind])
    kinds.push(kind)
  }
  return kinds
}

function add(kind: EpisodeKind, fact: EpisodeFact): void {
  kind.episodes++
  if (fact.startedAt < kind.fact.startedAt) kind.fact = fact
  if (fact.startedAt > kind.lastStartedAt) kind.lastStartedAt = fact.startedAt
}

/** The number of episodes of these kinds. */
export function countEpisodes(kinds: readonly EpisodeKind[]): number {
  return kinds.reduce((sum, { episodes }) => sum + episodes, 0)
}

function isSameKind(a: EpisodeFact, b: EpisodeFact): boolean {
  return (
    a.status === b.status &&
    a.failureCategory === b.failureCategory &&
    a.verdict === b.verdict &&
    a.mode === b.mode &&
    a.attempt === b.attempt &&
    a.agentExit === b.agentExit &&
    a.metered === b.metered &&
    a.guess === b.guess &&
    a.escrow === b.escrow &&
    a.subjectUser === b.subjectUser &&
    a.implausibleCalls === b.implausibleCalls &&
    a.category === b.category &&
    a.taskDigest === b.taskDigest &&
    a.planDigest === b.planDigest &&
    hasSameSource(a, b) &&
    isSameRecord(a.subject, b.subject) &&
    isSameRecord(a.settings, b.settings) &&
    isSameList(a.modelObserved, b.modelObserved) &&
    isSameList(a.unpinned, b.unpinned) &&
    isSameList(a.temperaturesSent, b.temperaturesSent) &&
    hasSameModels(a, b) &&
    hasSameOrigin(a.origin, b.origin) &&
    hasSameParts(a, b) &&
    !isJudgedAlone(a) &&
    !isJudgedAlone(b)
  )
}

function hasSameSource(a: EpisodeFact, b: EpisodeFact): boolean {
  return (
    a.provenance === b.provenance &&
    a.voucher === b.voucher &&
    a.account === b.account &&
    a.receivedUnder === b.receivedUnder
  )
}

function isSameList(a: readonly unknown[] = [], b: readonly unknown[] = []): boolean {
  return a === b || (a.length === b.length && a.every((value, at) => value === b[at]))
}

function hasSameModels({ models: a = [] }: EpisodeFact, { models: b = [] }: EpisodeFact): boolean {
  return a.length === b.length && a.every(({ model }, at) => model === b[at]?.model)
}

function hasSameOrigin(a: EpisodeFact['origin'], b: EpisodeFact['origin']): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.tests?.expected === b.tests?.expected &&
    a.tests?.passed === b.tests?.passed &&
    isSameRecord(a.harness, b.harness) &&
    isSameRecord(a.machine, b.machine)
  )
}

/** Compares what the fault, the arm, the verifier and the browser's sandbox did. */
function hasSameParts(a: EpisodeFact, b: EpisodeFact): boolean {
  return (
    isSamePart(a.fault, b.fault) &&
    isSamePart(a.activation, b.activation) &&
    a.grading?.visible === b.grading?.visible &&
    a.grading?.heldOut === b.grading?.heldOut &&
    isSamePart(a.grading?.verifier, b.grading?.verifier) &&
    a.browser?.driven === b.browser?.driven &&
    a.browser?.sandbox === b.browser?.sandbox
  )
}

type Part = Readonly<Record<string, unknown>> | null | undefined

function isSamePart(a: Part, b: Part): boolean {
  return a && b ? isSameRecord(a, b) : a === b
}

/** The ledger and later evaluations decide about each of these by its id. */
function isJudgedAlone({ findings, status, grading }: EpisodeFact): boolean {
  return findings > 0 || status === 'tampered' || grading?.verifier?.sandbox === 'none'
}
