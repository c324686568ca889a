import type { RuleCode } from '#lib/domain/eligibility/decide-eligibility.ts'
import type { EvaluationState, RowRegistration } from '#lib/domain/eligibility/eligibility.ts'
import { POLICY } from '#lib/domain/eligibility/policy.ts'
import type { EligibilityContext, PlanTerms } from '#lib/domain/eligibility/rule.ts'
import type { EpisodeFact } from '#lib/domain/record/index.ts'
import type { SeededGenerator } from '#lib/domain/statistics/seeded-generator.ts'
import { sampleBoardSuite, sampleRun } from '../../factories/sample-run.ts'

/** One way to break a row, the rule that must refuse it, and the rows that it applies to (default: all). */
export type InvalidCase = {
  code: RuleCode
  name: string
  spoil: (input: MutableCase, chance: SeededGenerator) => MutableCase
  applies?: (input: MutableCase) => boolean
}

export function pickRandom<T>(options: readonly T[], chance: SeededGenerator): T {
  return options[chance.nextBelow(options.length)] as T
}

/** Replaces one episode drawn by chance. */
export function changeOneEpisode(
  change: (fact: EpisodeFact, chance: SeededGenerator) => Partial<EpisodeFact>,
): InvalidCase['spoil'] {
  return ({ facts, context }, chance) => {
    const at = chance.nextBelow(facts.length)
    const next = facts.map((fact, index) =>
      index === at ? { ...fact, ...change(fact, chance) } : fact,
    )
    return { facts: next, context }
  }
}

/** Replaces every episode. */
export function changeEachEpisode(
  change: (fact: EpisodeFact) => Partial<EpisodeFact>,
): InvalidCase['spoil'] {
  return ({ facts, context }) => ({
    facts: facts.map((fact) => ({ ...fact, ...change(fact) })),
    context,
  })
}

/** Replaces the plans. */
export function changePlans(
  change: (plan: PlanTerms, chance: SeededGenerator) => PlanTerms | null,
): InvalidCase['spoil'] {
  return ({ facts, context }, chance) => {
    const next = [...context.plans].flatMap(([digest, plan]) => {
      const changed = change(plan, chance)
      return changed ? [[digest, changed] as const] : []
    })
    return { facts, context: { ...context, plans: new Map(next) } }
  }
}

export function changeContext(
  change: (input: MutableCase) => Partial<EligibilityContext>,
): InvalidCase['spoil'] {
  return (input) => ({ facts: input.facts, context: { ...input.context, ...change(input) } })
}

export const isDriven = ({ facts }: MutableCase) =>
  facts.some((fact) => fact.subject.kind === 'agent')
export const isPlain = ({ facts }: MutableCase) =>
  facts.some((fact) => fact.subject.kind === 'library')
export const first = ({ facts }: MutableCase) => facts[0] as EpisodeFact

type Spoil = (input: MutableCase, chance: SeededGenerator) => MutableCase

/** Ways to break the results of evaluating solutions again. */
export const INVALID_EVALUATION_CASES: readonly { code: RuleCode; name: string; spoil: Spoil }[] = [
  { code: 'evaluated-here', name: 'not evaluated yet', spoil: judged(undefined) },
  {
    code: 'evaluated-here',
    name: 'another answer',
    spoil: judged({ state: 'disagreed', reason: 'another verdict', isModelSeen: true }),
  },
  {
    code: 'evaluated-here',
    name: 'no answer',
    spoil: judged({ state: 'impossible', reason: 'no solution was sent', isModelSeen: true }),
  },
  {
    code: 'mode-evidence',
    name: 'no call log',
    spoil: judged({ state: 'agreed', reason: null, isModelSeen: false }),
  },
]

/** Sets the evaluation of one episode, drawn by chance; undefined = not evaluated. */
function judged(state: EvaluationState | undefined): Spoil {
  return ({ facts, context }, chance) => {
    const evaluations = new Map(context.evaluations)
    const { episodeId } = facts[chance.nextBelow(facts.length)] as EpisodeFact
    if (state) evaluations.set(episodeId, state)
    else evaluations.delete(episodeId)
    return { facts, context: { ...context, evaluations } }
  }
}

/** Removes the sandbox from every episode and its plan. */
export function atLocal({ facts, context }: MutableCase): MutableCase {
  const settings = <T extends { settings: object }>(one: T) => ({
    ...one,
    settings: { ...one.settings, isolation: 'local' as const },
  })
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, settings(plan)]))
  return { facts: facts.map(settings), context: { ...context, plans } }
}

export function renamed({ facts, context }: MutableCase, name: string): MutableCase {
  const subject = <T extends { subject: object }>(one: T) => ({
    ...one,
    subject: { ...one.subject, name },
  })
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, subject(plan)]))
  return { facts: facts.map(subject), context: { ...context, plans } }
}

/** Ways in which a row differs from what was registered. */
const REGISTRATION_CHANGES: Record<string, Partial<RowRegistration>> = {
  'not registered': { status: 'unregistered', unregistered: 1 },
  'registered late': { status: 'late', late: 1 },
  'a registered run is missing': { status: 'incomplete', owed: 4, received: 3 },
  'a plan known by its digest never came in': { status: 'incomplete', blind: 1 },
}

export const INVALID_REGISTRATION_CASES = Object.entries(REGISTRATION_CHANGES).map(
  ([name, change]) => ({
    code: 'registered' as const,
    name,
    spoil: ({ facts, context }: MutableCase): MutableCase => ({
      facts,
      context: { ...context, registration: { ...REGISTERED, ...change } },
    }),
  }),
)

const REGISTERED: RowRegistration = {
  status: 'registered',
  runs: 1,
  unregistered: 0,
  late: 0,
  owed: 1,
  received: 1,
  blind: 0,
}

/** A row under test; the valid ones pass every rule. Facts are replaced, never changed in place. */
export type MutableCase = { facts: EpisodeFact[]; context: EligibilityContext }

const suite = sampleBoardSuite(6)
const { run, facts: AGENT_FACTS } = sampleRun({ suite, repetitions: 3 })
const asLibrary = { kind: 'library' as const, name: 'playwright', modelRequested: null }

type BaseKind = 'agent' | 'library' | 'recorded' | 'stress' | 'task'
export const BASE_KINDS: readonly BaseKind[] = ['agent', 'library', 'recorded', 'stress', 'task']

const AGREED = { state: 'agreed', reason: null, isModelSeen: true } as const

/**
 * Returns a row that passes every rule: a live agent, a library, recordings, a stress row, or a claim about one task.
 */
export function validCase(kind: BaseKind): MutableCase {
  const change = BASE_CHANGES[kind]
  const all = AGENT_FACTS.map((fact, index) => ({ ...fact, ...change(fact, index) }))
  const facts = kind === 'task' ? Array.from({ length: 20 }, (_, n) => oneTask(all, n)) : all
  const first = facts[0] as EpisodeFact
  const plan = { ...run.plan, subject: first.subject }
  const tasks = kind === 'task' ? suite.tasks.slice(0, 1) : suite.tasks
  return { facts, context: contextOf(kind, facts, tasks, plan) }
}

const BASE_CHANGES: Record<BaseKind, (fact: EpisodeFact, index: number) => Partial<EpisodeFact>> = {
  agent: () => ({}),
  task: () => ({}),
  library: (fact) => ({ subject: { ...fact.subject, ...asLibrary }, modelObserved: [] }),
  recorded: (fact, index) => ({
    mode: 'recorded-real',
    recordingDigest: `sha256:${index}${fact.planDigest}`,
  }),
  stress: () => ({ fault: { fired: true, recovered: true } }),
}

function oneTask(facts: readonly EpisodeFact[], index: number): EpisodeFact {
  return { ...(facts[0] as EpisodeFact), repetition: index + 1, episodeId: `ep_task_${index}` }
}

function contextOf(
  kind: BaseKind,
  facts: readonly EpisodeFact[],
  suiteTasks: EligibilityContext['suiteTasks'],
  plan: PlanTerms,
): EligibilityContext {
  return {
    policy: POLICY,
    claim: kind === 'task' ? 'task' : 'aggregate',
    suiteTasks,
    plans: new Map([[plan.planDigest, plan]]),
    planned: facts.map(({ runId, taskId, repetition }) => ({ runId, taskId, repetition })),
    retriedSlots: [],
    replacedVoids: [],
    resolvedFindings: new Set(),
    invalidations: [],
    regradeDisagreements: new Set(),
    evaluations: new Map(facts.map(({ episodeId }) => [episodeId, AGREED])),
    passedWithoutFault: new Set(suite.tasks.map((task) => task.taskId)),
    registration: {
      status: 'registered',
      runs: 1,
      unregistered: 0,
      late: 0,
      owed: 1,
      received: 1,
      blind: 0,
    },
  }
}
