import type { Grading } from '#lib/domain/record/index.ts'
import type { Mode } from '#lib/domain/record/outcome.ts'
import {
  atLocal,
  changeContext,
  changeEachEpisode,
  changeOneEpisode,
  changePlans,
  first,
  INVALID_EVALUATION_CASES,
  INVALID_REGISTRATION_CASES,
  type InvalidCase,
  isDriven,
  isPlain,
  pickRandom,
  renamed,
} from './invalid-case.ts'
import { INVALID_CLAIM_CASES } from './invalid-claims.ts'
import { INVALID_MODEL_CASES } from './invalid-models.ts'

const LATE = '2027-01-01T00:00:00.000Z'
const NO_CLAIM: readonly Mode[] = ['mock', 'scaffold', 'dry-run', 'skip']
const PINS = ['temperature', 'maxSteps', 'maxTokens', 'maxCostMicroUsd'] as const
const UNSANDBOXED: Grading = {
  visible: true,
  heldOut: true,
  verifier: { sandbox: 'none', network: 'none', digest: `sha256:${'a'.repeat(64)}` },
}
const MOVING = ['latest', 'unknown', '^1.2.0', '1.x', '>=2 <3', '']

export const INVALID_CASES: readonly InvalidCase[] = [
  ...INVALID_CLAIM_CASES,
  ...INVALID_MODEL_CASES,
  {
    code: 'mode',
    name: 'one not real',
    spoil: changeOneEpisode((_, chance) => ({ mode: pickRandom(NO_CLAIM, chance) })),
  },
  {
    code: 'postcondition',
    name: 'not judged',
    spoil: changeOneEpisode(() => ({ status: 'unsolved', verdict: null })),
  },
  {
    code: 'postcondition',
    name: 'inconclusive',
    spoil: changeOneEpisode(() => ({ status: 'out-of-budget', verdict: 'inconclusive' })),
  },
  {
    code: 'postcondition',
    name: 'solved but failed',
    spoil: changeOneEpisode(() => ({ status: 'solved', verdict: 'fail' })),
  },
  {
    code: 'same-contract',
    name: 'other digest',
    spoil: changeOneEpisode(() => ({ taskDigest: 'sha256:other' })),
  },
  {
    code: 'same-contract',
    name: 'foreign task',
    spoil: changeOneEpisode(() => ({ taskId: 'foreign' })),
  },
  {
    code: 'pins',
    name: 'environment',
    spoil: changeOneEpisode(() => ({ unpinned: ['environment.node'] })),
  },
  {
    code: 'pins',
    name: 'no version',
    spoil: changeOneEpisode((fact) => ({ subject: { ...fact.subject, version: null } })),
  },
  {
    code: 'pins',
    name: 'moving version',
    spoil: changeOneEpisode((fact, chance) => ({
      subject: { ...fact.subject, version: pickRandom(MOVING, chance) },
    })),
  },
  {
    code: 'pins',
    name: 'no adapter version',
    applies: isPlain,
    spoil: changeOneEpisode((fact) => ({ subject: { ...fact.subject, adapterVersion: null } })),
  },
  {
    code: 'samples',
    name: 'too few',
    spoil: ({ facts, context }, chance) => ({
      facts: facts.slice(0, chance.nextBelow(10)),
      context,
    }),
  },
  {
    code: 'samples',
    name: 'a task without any',
    spoil: ({ facts, context }) => ({
      facts: facts.filter((fact) => fact.taskId !== 'task-1'),
      context,
    }),
  },
  {
    code: 'samples',
    name: 'stricter suite',
    spoil: changeContext(({ context: { policy } }) => ({
      policy: {
        ...policy,
        thresholds: { ...policy.thresholds, aggregateEpisodes: 99, perTaskEpisodes: 99 },
      },
    })),
  },
  { code: 'llm-pins', name: 'no plan', applies: isDriven, spoil: changePlans(() => null) },
  {
    code: 'llm-pins',
    name: 'a pin missing',
    applies: isDriven,
    spoil: changePlans((plan, chance) => ({
      ...plan,
      settings: { ...plan.settings, [pickRandom(PINS, chance)]: null },
    })),
  },
  {
    code: 'llm-pins',
    name: 'no model id',
    applies: isDriven,
    spoil: changePlans((plan) => ({ ...plan, subject: { ...plan.subject, modelRequested: null } })),
  },
  {
    code: 'llm-pins',
    name: 'frozen late',
    applies: isDriven,
    spoil: changePlans((plan) => ({ ...plan, frozenAt: LATE })),
  },
  { code: 'frozen-plan', name: 'no plan', spoil: changePlans(() => null) },
  {
    code: 'frozen-plan',
    name: 'frozen late',
    applies: isPlain,
    spoil: changePlans((plan) => ({ ...plan, frozenAt: LATE })),
  },
  {
    code: 'frozen-plan',
    name: 'other settings',
    spoil: changeOneEpisode((fact) => ({ settings: { ...fact.settings, timeoutMs: 1 } })),
  },
  {
    code: 'frozen-plan',
    name: 'other subject',
    spoil: changeOneEpisode((fact) => ({ subject: { ...fact.subject, version: '9.9.9' } })),
  },
  {
    code: 'unmetered',
    name: 'nobody counted',
    applies: isDriven,
    spoil: changeOneEpisode(() => ({ metered: false, tokens: null, costMicroUsd: null })),
  },
  {
    code: 'answers-out-of-reach',
    name: 'no sandbox',
    applies: isDriven,
    spoil: (input) => atLocal(input),
  },
  {
    code: 'answers-out-of-reach',
    name: 'a library by a command of the user',
    applies: isPlain,
    spoil: (input) => atLocal(renamed(input, 'openchrome')),
  },
  {
    code: 'graded-in-sandbox',
    name: 'graded without one',
    spoil: ({ facts, context }, chance) =>
      changeOneEpisode(() => ({ grading: UNSANDBOXED }))(
        { facts, context: { ...context, evaluations: null } },
        chance,
      ),
  },
  {
    code: 'independent',
    name: 'same episode',
    spoil: (input) => ({ ...input, facts: [...input.facts, first(input)] }),
  },
  {
    code: 'independent',
    name: 'same recording',
    spoil: changeEachEpisode(() => ({ recordingDigest: 'sha256:same' })),
  },
  {
    code: 'retries',
    name: 'scored and tried again',
    spoil: changeContext((input) => ({ retriedSlots: [first(input)] })),
  },
  {
    code: 'complete',
    name: 'slot missing',
    spoil: changeContext((input) => ({
      planned: [...input.context.planned, { ...first(input), repetition: 99 }],
    })),
  },
  {
    code: 'complete',
    name: 'cancelled',
    spoil: changeOneEpisode(() => ({ status: 'cancelled', verdict: null })),
  },
  {
    code: 'complete',
    name: 'voids',
    spoil: (input, chance) =>
      changeOneEpisode(() => ({ status: 'void', verdict: null }))(
        {
          ...input,
          facts: input.facts.map((fact, index) =>
            index < 2 ? { ...fact, status: 'void' as const, verdict: null } : fact,
          ),
        },
        chance,
      ),
  },
  {
    code: 'void-attempts',
    name: 'tried again',
    spoil: changeContext((input) => ({ replacedVoids: input.facts.slice(0, 2) })),
  },
  { code: 'integrity', name: 'finding', spoil: changeOneEpisode(() => ({ findings: 1 })) },
  {
    code: 'integrity',
    name: 'tampered',
    spoil: changeOneEpisode(() => ({ status: 'tampered', verdict: 'fail' })),
  },
  {
    code: 'unguessable',
    name: 'few changed tests',
    spoil: changeEachEpisode(() => ({ status: 'solved', verdict: 'pass', guess: 1 / 999 })),
  },
  {
    code: 'unguessable',
    name: 'a task that nobody proved',
    spoil: changeContext(({ context }) => ({
      suiteTasks: context.suiteTasks.map((task) => ({ ...task, unproven: true })),
    })),
  },
  {
    code: 'invalidated',
    name: 'run taken back',
    spoil: changeContext((input) => ({
      invalidations: [
        { target: first(input).runId, reason: 'wrong machine', at: '2026-11-20T00:00:00.000Z' },
      ],
    })),
  },
  {
    code: 'regraded',
    name: 'disagreement',
    spoil: changeContext((input) => ({ regradeDisagreements: new Set([first(input).episodeId]) })),
  },
  ...INVALID_EVALUATION_CASES,
  {
    code: 'provenance',
    name: 'by hand',
    spoil: changeOneEpisode(() => ({ provenance: 'manual' })),
  },
  ...INVALID_REGISTRATION_CASES,
  {
    code: 'fault-fired',
    name: 'did not fire',
    spoil: changeOneEpisode(() => ({ fault: { fired: false, recovered: null } })),
  },
  {
    code: 'fault-baseline',
    name: 'no pass without it',
    spoil: (input, chance) =>
      changeOneEpisode(() => ({ fault: { fired: true, recovered: true } }))(
        { ...input, context: { ...input.context, passedWithoutFault: new Set() } },
        chance,
      ),
  },
]
