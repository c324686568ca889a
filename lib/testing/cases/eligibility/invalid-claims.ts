import { digestTests, type EpisodeFact } from '#lib/domain/record/index.ts'
import type { EpisodeOrigin } from '#lib/domain/record/origin-fact.ts'
import type { MutableCase } from './invalid-case.ts'
import {
  changeContext,
  changeEachEpisode,
  changeOneEpisode,
  changePlans,
  first,
  type InvalidCase,
  isDriven,
  isPlain,
} from './invalid-case.ts'

const originOf = (fact: EpisodeFact, harness: { version?: string }, tests = 8): EpisodeOrigin => ({
  harness: { version: '0.1.0', commit: 'a'.repeat(40), ...harness },
  machine: {},
  tests: { expected: tests, passed: digestTests([`${fact.taskId} works`]) },
  marks: [],
})
const withTests = ({ context }: MutableCase) =>
  context.suiteTasks.map((task) => ({
    ...task,
    expectedTests: Array.from({ length: 8 }, (_, index) => `${task.taskId} ${index}`),
  }))

/** Ways of selecting what a board shows: a row's subject, the program that made it, the number of tries. */
export const INVALID_CLAIM_CASES: readonly InvalidCase[] = [
  {
    code: 'identity',
    name: 'invisible characters',
    spoil: changeEachEpisode((fact) => ({
      subject: { ...fact.subject, provider: 'anthro\u200bpic' },
    })),
  },
  {
    code: 'identity',
    name: 'a baseline that puts something in',
    spoil: changeEachEpisode((fact) => ({
      subject: { ...fact.subject, arm: 'baseline', armDigest: `sha256:${'a'.repeat(64)}` },
    })),
  },
  {
    code: 'identity',
    name: 'taken for another',
    spoil: changeContext(() => ({ imitation: 'The name "Agent-A" looks like "agent-a".' })),
  },
  {
    code: 'subject-kind',
    name: 'an agent told as a library',
    applies: isPlain,
    spoil: changeContext(() => ({ subjectKinds: ['agent' as const] })),
  },
  {
    code: 'subject-kind',
    name: 'told as a control',
    applies: isPlain,
    spoil: changeEachEpisode((fact) => ({
      subject: { ...fact.subject, kind: 'control' as const },
    })),
  },
  {
    code: 'harness',
    name: 'a fork',
    spoil: changeEachEpisode((fact) => ({ origin: originOf(fact, { version: '0.1.0-fork' }) })),
  },
  {
    code: 'policy-version',
    name: 'an older policy',
    spoil: changePlans((plan) => ({ ...plan, policyVersion: 3 })),
  },
  {
    code: 'policy-version',
    name: 'a policy to come',
    spoil: changePlans((plan) => ({ ...plan, policyVersion: 99 })),
  },
  {
    code: 'same-contract',
    name: 'one test only',
    spoil: (input, chance) =>
      changeOneEpisode((fact) => ({ origin: originOf(fact, {}, 1) }))(
        { ...input, context: { ...input.context, suiteTasks: withTests(input) } },
        chance,
      ),
  },
  {
    code: 'samples',
    name: 'a model’s task tried twice',
    applies: (input) => isDriven(input) && input.context.claim === 'aggregate',
    spoil: ({ facts, context }) => ({
      facts: facts.filter(({ taskId, repetition }) => taskId !== 'task-1' || repetition < 3),
      context,
    }),
  },
  {
    code: 'retries',
    name: 'attempt nine of two',
    spoil: changeOneEpisode(() => ({ attempt: 9 })),
  },
  {
    code: 'independent',
    name: 'copied from another run',
    spoil: changeContext((input) => ({
      copies: new Map([[first(input).episodeId, 'run_00000009']]),
    })),
  },
  {
    code: 'void-attempts',
    name: 'one slot again and again',
    spoil: changeContext((input) => ({
      replacedVoids: Array.from({ length: 3 }, () => first(input)),
    })),
  },
]
