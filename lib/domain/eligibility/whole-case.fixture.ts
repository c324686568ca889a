import { sampleRun, sampleSuite } from '../board/build-sample-run.ts'
import type { EpisodeFact } from '../board/episode-fact.ts'
import type { EligibilityContext, FrozenPlan } from './eligibility-context.ts'
import { POLICY } from './policy.ts'

/** A row under test: a whole one passes every rule. Facts are replaced, never changed in place. */
export type SpoilCase = { facts: EpisodeFact[]; context: EligibilityContext }

const suite = sampleSuite(6)
const { run, facts: AGENT_FACTS } = sampleRun({ suite, repetitions: 3 })
const asLibrary = { kind: 'library' as const, modelRequested: null }

export type BaseKind = 'agent' | 'library' | 'recorded' | 'stress' | 'task'
export const BASE_KINDS: readonly BaseKind[] = ['agent', 'library', 'recorded', 'stress', 'task']

const AGREED = { state: 'agreed', reason: null, isModelSeen: true } as const

/** A row that passes every rule: a live agent, a library, recordings, a stress row, or a claim about one task. */
export function wholeCase(kind: BaseKind): SpoilCase {
  const change = CHANGES[kind]
  const all = AGENT_FACTS.map((fact, index) => ({ ...fact, ...change(fact, index) }))
  const facts = kind === 'task' ? Array.from({ length: 20 }, (_, n) => oneTask(all, n)) : all
  const first = facts[0] as EpisodeFact
  const plan = { ...run.plan, subject: first.subject }
  const tasks = kind === 'task' ? suite.tasks.slice(0, 1) : suite.tasks
  return { facts, context: contextOf(kind, facts, tasks, plan) }
}

const CHANGES: Record<BaseKind, (fact: EpisodeFact, index: number) => Partial<EpisodeFact>> = {
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
  plan: FrozenPlan,
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
      ...{ runs: 1, unregistered: 0, late: 0, owed: 1, received: 1, blind: 0 },
    },
    rivals: [],
  }
}
