import {
  countOf,
  drivenOf,
  type EpisodeFact,
  filterInParts,
  inParts,
  isLlmDriven,
  isScored,
  listNames,
  needsSandbox,
} from '../../record/index.ts'
import { gateRule, type RuleFailure } from '../rule.ts'

/** All responses come from the pinned model, in one snapshot. */
export const modelObservedRule = gateRule({
  code: 'model-observed',
  fromSeed: false,
  demand: () => 'All responses come from the pinned model, in one dated snapshot.',
  check: ({ facts }) => {
    const driven = drivenOf(facts)
    if (driven.length === 0) return null
    const observed = new Set(observedOf(driven).flat())
    if (observed.size === 0) return nothingObserved
    const other = othersOf(driven).flat()
    if (other.length > 0)
      return otherModel(
        driven.map((fact) => fact.subject.modelRequested ?? 'none'),
        other,
      )
    const snapshots = new Set([...observed].map(bareName).filter((name) => DATED.test(name)))
    return snapshots.size > 1 ? severalSnapshots(snapshots) : null
  },
})

const observedOf = inParts((facts: readonly EpisodeFact[]) => [
  ...new Set(facts.flatMap(({ modelObserved }) => modelObserved)),
])
const othersOf = inParts((facts: readonly EpisodeFact[]) =>
  facts.flatMap(({ subject, modelObserved }) =>
    modelObserved.filter((model) => !isSameModel(subject.modelRequested, model)),
  ),
)

const DATED = /[-@:]?(\d{4}-\d{2}-\d{2}|\d{8})$/

/** `vendor/model` and `model` are one name; a dated snapshot belongs to the name without the date. */
function isSameModel(requested: string | null, observed: string): boolean {
  if (requested === null) return false
  const [asked, got] = [bareName(requested), bareName(observed)]
  return asked === got || asked === got.replace(DATED, '')
}

function bareName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1)
}

const nothingObserved: RuleFailure = {
  reason: 'The responding model was not observed, so the pinned model cannot be confirmed.',
  remedy:
    'Run through the metering gateway, or use an agent that reports the model of each response.',
}

function otherModel(requested: string[], observed: string[]): RuleFailure {
  return {
    reason: `The provider responded with ${listNames(observed)} instead of the pinned ${listNames(requested)}.`,
    remedy: 'Pin the responding model, or route requests to the pinned one, and rerun.',
  }
}

function severalSnapshots(snapshots: Set<string>): RuleFailure {
  return {
    reason: `The pinned name resolved to several snapshots during the measurement: ${listNames(snapshots)}.`,
    remedy: 'Pin one dated snapshot and rerun.',
  }
}

/** Usage and cost of a model must be counted by the gateway, not by the agent. */
export const unmeteredRule = gateRule({
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

/** Results of a program that could read the answers are not evidence. */
export const answersOutOfReachRule = gateRule({
  code: 'answers-out-of-reach',
  fromSeed: false,
  demand: () =>
    'Agents, and libraries started by a user command, ran in a sandbox (bubblewrap or docker) without access to references, tests, keys or other attempts.',
  check: ({ facts }) => {
    const exposed = exposedOf(facts)
    if (exposed.length === 0) return null
    const isLibrary = exposed.every(({ subject }) => subject.kind === 'library')
    return {
      reason: `${exposed.length} of ${countOf(facts.length, 'episode')} ran with isolation local (no sandbox), ${reachOf(exposed)}.`,
      remedy: isLibrary
        ? 'Use a built-in library adapter: a library started by a user command cannot be ranked, because browser suites run with isolation local.'
        : 'Rerun with --isolation bubblewrap or --isolation docker.',
    }
  },
})

const exposedOf = filterInParts(
  ({ subject, settings }: EpisodeFact) => needsSandbox(subject) && settings.isolation === 'local',
)

/** What the agent or library could read according to its envelopes; the broadest access counts. */
function reachOf(facts: readonly EpisodeFact[]): string {
  if (facts.every(({ subjectUser }) => subjectUser === 'own'))
    return 'as a separate user: it could use the network and read every world-readable file'
  if (facts.some(({ subjectUser }) => subjectUser === 'runner'))
    return "as the runner's user: it could read reference solutions, tests, provider keys, the database, the auth secret and other attempts"
  return 'so it could read reference solutions, tests and keys'
}
