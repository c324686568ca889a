import {
  drivenOf,
  type EpisodeFact,
  filterInParts,
  inParts,
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
  check: ({ facts }) => {
    const driven = drivenOf(facts)
    if (driven.length === 0) return null
    const parts = observedOf(driven)
    if (parts.every(({ isObserved }) => !isObserved)) return nothingObserved
    const others = parts.flatMap(({ workers }) => workers)
    if (others.length > 0)
      return otherModel(
        driven.map((fact) => fact.subject.modelRequested ?? 'none'),
        others,
      )
    const snapshots = new Set(parts.flatMap((part) => part.snapshots))
    if (snapshots.size > 1) return severalSnapshots(snapshots)
    const sum = (pick: (part: Observed) => number) =>
      parts.reduce((all, part) => all + pick(part), 0)
    const [own, all] = [sum(({ pinnedTokens }) => pinnedTokens), sum(({ tokens }) => tokens)]
    return own < all * (1 - MAX_HELPER_SHARE) ? mostlyHelpers(own / all) : null
  },
})

type Observed = {
  isObserved: boolean
  /** Undeclared models that did the work of an episode. */
  workers: string[]
  /** Names of the pinned model that state a snapshot. */
  snapshots: string[]
  tokens: number
  pinnedTokens: number
}

const observedOf = inParts((facts: readonly EpisodeFact[]): Observed => {
  const roleOf = roleFinder()
  const workers = new Set<string>()
  const snapshots = new Map<string, string>()
  const sums = { tokens: 0, pinnedTokens: 0 }
  for (const fact of facts) {
    for (const name of fact.modelObserved) {
      const { snapshot } = readModelName(name)
      const isPinned = roleOf(fact.subject, name) === 'pinned'
      if (isPinned && snapshot !== null) snapshots.set(snapshot, snapshots.get(snapshot) ?? name)
      if (isUndeclaredWorker(fact, name, roleOf)) workers.add(name)
    }
    addTokens(sums, fact, roleOf)
  }
  const isObserved = facts.some(({ modelObserved }) => modelObserved.length > 0)
  return { isObserved, ...sums, workers: [...workers], snapshots: [...snapshots.values()] }
})

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
  if (own.asked.some((asked) => roleOf(subject, asked) === 'pinned')) return true
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

function severalSnapshots(snapshots: Set<string>): RuleFailure {
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
  demand: () =>
    'Every request that carried a temperature carried the plan’s, where the plan pins a number; a request may carry none while the model reasons.',
  check: ({ facts }) => {
    const driven = drivenOf(facts)
    const others = otherTemperatures(driven)
    const sent = new Set(others.flatMap(({ temperatures }) => temperatures))
    const episodes = others.reduce((sum, part) => sum + part.episodes, 0)
    if (episodes === 0) return null
    return {
      reason: `Requests with a temperature other than the pinned one went out in ${episodes} of ${countOf(driven.length, 'episode')}: ${listNames([...sent].sort((a, b) => a - b).map(String))}.`,
      remedy: 'Rerun with a released version: its gateway sends the pinned temperature.',
    }
  },
})

const otherTemperatures = inParts((facts: readonly EpisodeFact[]) => {
  const temperatures = new Set<number>()
  let episodes = 0
  for (const { settings, temperaturesSent = [] } of facts) {
    const pin = settings.temperature
    const others = temperaturesSent.filter((one) => one !== null && one !== pin)
    if (typeof pin !== 'number' || others.length === 0) continue
    episodes += 1
    for (const one of others) if (one !== null) temperatures.add(one)
  }
  return { temperatures: [...temperatures], episodes }
})

/** Usage and cost of a model must be counted by the gateway, not by the agent. */
export const unmeteredRule = evidenceRule({
  code: 'unmetered',
  fromSeed: false,
  demand: () => 'Model usage was counted by the metering gateway, not reported by the agent.',
  check: ({ facts }) => {
    const driven = drivenAndScored(facts)
    const unmetered = unmeteredOf(driven)
    if (unmetered.length === 0) return null
    return {
      reason: `Tokens, steps and model were not metered in ${unmetered.length} of ${countOf(driven.length, 'episode')}, so the harness could not enforce their budgets.`,
      remedy: 'Use an agent that supports the metering gateway. Unmetered agents cannot be ranked.',
    }
  },
})

const drivenAndScored = filterInParts(
  (fact: EpisodeFact) => isLlmDriven(fact) && isScored(fact.status),
)
const unmeteredOf = filterInParts(({ metered }: EpisodeFact) => !metered)

/** Results of a program that could read the reference solutions are not evidence. */
export const answersOutOfReachRule = evidenceRule({
  code: 'answers-out-of-reach',
  fromSeed: false,
  demand: () =>
    'Agents ran in a sandbox (bubblewrap or docker) without access to references, tests, keys or other attempts. A library of one’s own is ranked only if its npm package is pinned by a digest, it ran in bubblewrap, and a reviewer accepted its code in the ledger.',
  check: ({ facts, context: { isLibraryAccepted = false } }) => {
    const exposed = exposedOf(facts)
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
    return ' in bubblewrap: it could read no answers or keys, but its code is not pinned'
  return ', and what it could read is not known'
}

const exposedOf = filterInParts(
  ({ subject, settings }: EpisodeFact) => needsSandbox(subject) && settings.isolation === 'local',
)

/** Describes what the agent or library could read according to its envelopes; the broadest access counts. */
function reachOf(facts: readonly EpisodeFact[]): string {
  if (facts.every(({ subjectUser }) => subjectUser === 'own'))
    return 'as a separate user: it could use the network and read every world-readable file'
  if (facts.some(({ subjectUser }) => subjectUser === 'runner'))
    return "as the runner's user: it could read reference solutions, tests, provider keys, the database, the auth secret and other attempts"
  return 'so it could read reference solutions, tests and keys'
}
