import {
  type EpisodeFact,
  isLlmDriven,
  isPinnedLibrary,
  isScored,
  type ModelUsage,
  needsSandbox,
  readModelName,
  roleOfModel,
} from '../../record/index.ts'
import { countOf, listNames } from '../../text/index.ts'
import { evidenceRule, type RuleFailure } from '../rule.ts'

/** A model with a larger share of the tokens does the work itself, not only titles or summaries. */
const MAX_HELPER_SHARE = 0.5

/** The pinned model does the work, in one snapshot; helper models may be used too. */
export const modelObservedRule = evidenceRule({
  code: 'model-observed',
  fromSeed: false,
  demand: () =>
    'The pinned model did the work, in one dated snapshot: no undeclared model answered in its place, called a tool, or took more than half of an episode’s tokens, and declared helpers took at most half of all.',
  check: ({ facts, kinds }) => {
    const some = kinds.filter(isLlmDriven)
    if (some.length === 0) return null
    if (some.every(({ modelObserved }) => modelObserved.length === 0)) return nothingObserved
    // Shares of tokens matter only beside other models.
    const driven = hasPinnedOnly(some) ? some : facts.filter(isLlmDriven)
    const { workers, snapshots, pinnedTokens, tokens } = observe(driven)
    if (workers.length > 0)
      return otherModel(
        driven.map((fact) => fact.subject.modelRequested ?? 'none'),
        workers,
      )
    if (snapshots.length > 1) return severalSnapshots(snapshots)
    return pinnedTokens < tokens * (1 - MAX_HELPER_SHARE)
      ? mostlyHelpers(pinnedTokens / tokens)
      : null
  },
})

function hasPinnedOnly(facts: readonly EpisodeFact[]): boolean {
  const roleOf = roleFinder()
  return facts.every(({ subject, modelObserved, models = [] }) => {
    const isPinned = (name: string | null) => name === null || roleOf(subject, name) === 'pinned'
    return modelObserved.every(isPinned) && models.every(({ model }) => isPinned(model))
  })
}

type Observed = {
  /** Undeclared models that did the work of an episode. */
  workers: string[]
  /** Names of the pinned model that state a snapshot. */
  snapshots: string[]
  tokens: number
  pinnedTokens: number
}

function observe(facts: readonly EpisodeFact[]): Observed {
  const [roleOf, snapshotOf] = [roleFinder(), snapshotFinder()]
  const workers = new Set<string>()
  const snapshots = new Map<string, string>()
  const sums = { tokens: 0, pinnedTokens: 0 }
  for (const fact of facts) {
    for (const name of fact.modelObserved) {
      const snapshot = snapshotOf(name)
      const isPinned = roleOf(fact.subject, name) === 'pinned'
      if (isPinned && snapshot !== null) snapshots.set(snapshot, snapshots.get(snapshot) ?? name)
      if (isUndeclaredWorker(fact, name, roleOf)) workers.add(name)
    }
    addTokens(sums, fact, roleOf)
  }
  return { ...sums, workers: [...workers], snapshots: [...snapshots.values()] }
}

function addTokens(
  sums: { tokens: number; pinnedTokens: number },
  { subject, models = [] }: EpisodeFact,
  roleOf: RoleFinder,
): void {
  for (const one of models) {
    const isPinned = one.model === null || roleOf(subject, one.model) === 'pinned'
    sums.tokens += tokensOf(one)
    if (isPinned) sums.pinnedTokens += tokensOf(one)
  }
}

/** Returns true if an undeclared model did the work; one whose share was not recorded may have done all of it. */
function isUndeclaredWorker(
  { subject, models = [] }: EpisodeFact,
  name: string,
  roleOf: RoleFinder,
): boolean {
  if (roleOf(subject, name) !== 'other') return false
  const own = models.find(({ model }) => model === name)
  if (own === undefined || own.toolCalls > 0) return true
  if (own.asked.some((requested) => roleOf(subject, requested) === 'pinned')) return true
  const isCounted = models.every(({ input, output }) => input !== null && output !== null)
  const sizeOf = isCounted ? tokensOf : ({ calls }: ModelUsage) => calls
  const all = models.reduce((sum, one) => sum + sizeOf(one), 0)
  return sizeOf(own) > all * MAX_HELPER_SHARE
}

function tokensOf({ input, output }: ModelUsage): number {
  return (input ?? 0) + (output ?? 0)
}

type RoleFinder = typeof roleOfModel

/** `roleOfModel` with a cache of the last pair of names, which neighbours share. */
function roleFinder(): RoleFinder {
  const known = new Map<unknown, Map<string, ReturnType<typeof roleOfModel>>>()
  return (subject, name) => {
    const roles = known.get(subject) ?? new Map()
    known.set(subject, roles)
    const role = roles.get(name) ?? roleOfModel(subject, name)
    roles.set(name, role)
    return role
  }
}

function snapshotFinder(): (name: string) => string | null {
  const known = new Map<string, string | null>()
  return (name) => {
    const snapshot = known.get(name)
    if (snapshot !== undefined) return snapshot
    const { snapshot: read } = readModelName(name)
    known.set(name, read)
    return read
  }
}

const nothingObserved: RuleFailure = {
  reason: 'The responding model was not observed, so the pinned model cannot be confirmed.',
  remedy:
    'Run through the metering gateway, or use an agent that reports the model of each response.',
}

function otherModel(requested: string[], observed: string[]): RuleFailure {
  return {
    reason: `The provider responded with ${listNames(observed)} instead of the pinned ${listNames(requested)}.`,
    remedy:
      'Pin the responding model, route requests to the pinned one, or declare the name under aliases (the same model) or secondary (a helper) in the provider’s or agent’s file, and rerun.',
  }
}

function severalSnapshots(snapshots: readonly string[]): RuleFailure {
  return {
    reason: `The pinned name resolved to several snapshots during the measurement: ${listNames(snapshots)}.`,
    remedy: 'Pin one dated snapshot and rerun.',
  }
}

function mostlyHelpers(share: number): RuleFailure {
  return {
    reason: `The pinned model took ${Math.round(share * 100)} % of the tokens, and helper models the rest.`,
    remedy: 'Pin the model that does most of the work and rerun.',
  }
}

/** Requests carry the temperature that the plan pins. */
export const temperatureSentRule = evidenceRule({
  code: 'temperature-sent',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'Every request that carried a temperature carried the plan’s, where the plan pins a number; a request may carry none while the model reasons.',
  check: ({ facts }) => {
    const driven = facts.filter(isLlmDriven)
    const others = driven.map(otherTemperatures).filter(({ length }) => length > 0)
    if (others.length === 0) return null
    const sent = [...new Set(others.flat())].sort((a, b) => a - b)
    return {
      reason: `Requests with a temperature other than the pinned one went out in ${others.length} of ${countOf(driven.length, 'episode')}: ${listNames(sent.map(String))}.`,
      remedy: 'Rerun with a released version: its gateway sends the pinned temperature.',
    }
  },
})

function otherTemperatures({ settings, temperaturesSent = [] }: EpisodeFact): number[] {
  const pin = settings.temperature
  if (typeof pin !== 'number') return []
  return temperaturesSent.flatMap((one) => (one === null || one === pin ? [] : one))
}

/** Usage and cost of a model must be counted by the gateway, not by the agent. */
export const unmeteredRule = evidenceRule({
  code: 'unmetered',
  fromSeed: false,
  isByKind: true,
  demand: () => 'Model usage was counted by the metering gateway, not reported by the agent.',
  check: ({ facts }) => {
    const driven = facts.filter((fact) => isLlmDriven(fact) && isScored(fact.status))
    const unmetered = driven.filter(({ metered }) => !metered)
    if (unmetered.length === 0) return null
    return {
      reason: `Tokens, steps and model were not metered in ${unmetered.length} of ${countOf(driven.length, 'episode')}, so the harness could not enforce their budgets.`,
      remedy: 'Use an agent that supports the metering gateway. Unmetered agents cannot be ranked.',
    }
  },
})

/** Results of a program that could read the reference solutions are not evidence. */
export const answersOutOfReachRule = evidenceRule({
  code: 'answers-out-of-reach',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'Agents ran in a sandbox (bubblewrap or docker) without access to references, tests, keys or other attempts. A library of one’s own is ranked only if its npm package is pinned by a digest, it ran in bubblewrap, and a reviewer accepted its code in the ledger.',
  check: ({ facts, context: { isLibraryAccepted = false } }) => {
    const exposed = facts.filter(
      ({ subject, settings }) => needsSandbox(subject) && settings.isolation === 'local',
    )
    if (exposed.length === 0) return null
    if (exposed.every(({ subject }) => subject.kind === 'library')) {
      const remedy = acceptanceRemedy(exposed, isLibraryAccepted)
      if (remedy === null) return null
      return {
        reason: `${exposed.length} of ${countOf(facts.length, 'episode')} ran a library started by a user command${libraryReachOf(exposed)}.`,
        remedy,
      }
    }
    return {
      reason: `${exposed.length} of ${countOf(facts.length, 'episode')} ran with isolation local (no sandbox), ${reachOf(exposed)}.`,
      remedy: 'Rerun with --isolation bubblewrap or --isolation docker.',
    }
  },
})

/** Returns the next step towards a rank for a library of one's own; null = it may be ranked. */
function acceptanceRemedy(facts: readonly EpisodeFact[], isAccepted: boolean): string | null {
  if (!facts.every(({ subject }) => isPinnedLibrary(subject)))
    return 'Name its npm package in the file (package:), so that version and digest are recorded, and rerun with --library-file.'
  if (!facts.every(({ browser }) => browser?.sandbox === 'bubblewrap'))
    return 'Rerun where bubblewrap works, without PROOFBOARD_LIBRARY_SANDBOX.'
  if (isAccepted) return null
  return 'A reviewer reads the code of this version and accepts it: npx proofboard server ledger add accept-library <row id> --reason "…".'
}

/** Describes the access of such a library; the broadest access counts. */
function libraryReachOf(facts: readonly EpisodeFact[]): string {
  if (facts.some(({ browser }) => browser?.sandbox === 'none'))
    return ' without a sandbox, so it could read reference solutions, tests and keys'
  if (facts.every(({ browser }) => browser?.sandbox === 'bubblewrap'))
    return ` in bubblewrap: it could read no answers or keys, but ${facts.every(({ subject }) => isPinnedLibrary(subject)) ? 'no reviewer has accepted its code' : 'its code is not pinned'}`
  return ', and what it could read is not known'
}

/** Describes what the agent or library could read according to its envelopes; the broadest access counts. */
function reachOf(facts: readonly EpisodeFact[]): string {
  if (facts.every(({ subjectUser }) => subjectUser === 'own'))
    return 'as a separate user: it could use the network and read every world-readable file'
  if (facts.some(({ subjectUser }) => subjectUser === 'runner'))
    return "as the runner's user: it could read reference solutions, tests, provider keys, the database, the auth secret and other attempts"
  return 'so it could read reference solutions, tests and keys'
}
