import type { Mode } from '../record/episode.ts'
import { CLAIM_SPOILERS } from './invalid-claims.fixture.ts'
import {
  around,
  atLocal,
  EVALUATION_SPOILERS,
  each,
  first,
  isDriven,
  isPlain,
  one,
  pick,
  plans,
  REGISTRATION_SPOILERS,
  renamed,
  type Spoiler,
} from './spoil.fixture.ts'

const LATE = '2027-01-01T00:00:00.000Z'
const NO_CLAIM: readonly Mode[] = ['mock', 'scaffold', 'dry-run', 'skip']
const PINS = ['temperature', 'maxSteps', 'maxTokens', 'maxCostMicroUsd'] as const
const MOVING = ['latest', 'unknown', '^1.2.0', '1.x', '>=2 <3', '']

export const SPOILERS: readonly Spoiler[] = [
  ...CLAIM_SPOILERS,
  {
    code: 'mode',
    name: 'one not real',
    spoil: one((_, chance) => ({ mode: pick(NO_CLAIM, chance) })),
  },
  {
    code: 'postcondition',
    name: 'not judged',
    spoil: one(() => ({ status: 'unsolved', verdict: null })),
  },
  {
    code: 'postcondition',
    name: 'inconclusive',
    spoil: one(() => ({ status: 'out-of-budget', verdict: 'inconclusive' })),
  },
  {
    code: 'postcondition',
    name: 'solved but failed',
    spoil: one(() => ({ status: 'solved', verdict: 'fail' })),
  },
  {
    code: 'same-contract',
    name: 'other digest',
    spoil: one(() => ({ taskDigest: 'sha256:other' })),
  },
  { code: 'same-contract', name: 'foreign task', spoil: one(() => ({ taskId: 'foreign' })) },
  { code: 'pins', name: 'environment', spoil: one(() => ({ unpinned: ['environment.node'] })) },
  {
    code: 'pins',
    name: 'no version',
    spoil: one((fact) => ({ subject: { ...fact.subject, version: null } })),
  },
  {
    code: 'pins',
    name: 'moving version',
    spoil: one((fact, chance) => ({ subject: { ...fact.subject, version: pick(MOVING, chance) } })),
  },
  {
    code: 'pins',
    name: 'no adapter version',
    applies: isPlain,
    spoil: one((fact) => ({ subject: { ...fact.subject, adapterVersion: null } })),
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
    spoil: around(({ context: { policy } }) => ({
      policy: {
        ...policy,
        thresholds: { ...policy.thresholds, aggregateEpisodes: 99, perTaskEpisodes: 99 },
      },
    })),
  },
  { code: 'llm-pins', name: 'no plan', applies: isDriven, spoil: plans(() => null) },
  {
    code: 'llm-pins',
    name: 'a pin missing',
    applies: isDriven,
    spoil: plans((plan, chance) => ({
      ...plan,
      settings: { ...plan.settings, [pick(PINS, chance)]: null },
    })),
  },
  {
    code: 'llm-pins',
    name: 'no model id',
    applies: isDriven,
    spoil: plans((plan) => ({ ...plan, subject: { ...plan.subject, modelRequested: null } })),
  },
  {
    code: 'llm-pins',
    name: 'frozen late',
    applies: isDriven,
    spoil: plans((plan) => ({ ...plan, frozenAt: LATE })),
  },
  { code: 'frozen-plan', name: 'no plan', spoil: plans(() => null) },
  {
    code: 'frozen-plan',
    name: 'frozen late',
    applies: isPlain,
    spoil: plans((plan) => ({ ...plan, frozenAt: LATE })),
  },
  {
    code: 'frozen-plan',
    name: 'other settings',
    spoil: one((fact) => ({ settings: { ...fact.settings, timeoutMs: 1 } })),
  },
  {
    code: 'frozen-plan',
    name: 'other subject',
    spoil: one((fact) => ({ subject: { ...fact.subject, version: '9.9.9' } })),
  },
  {
    code: 'model-observed',
    name: 'other model',
    applies: isDriven,
    spoil: one(() => ({ modelObserved: ['model-x-1', 'model-x-1-mini'] })),
  },
  {
    code: 'model-observed',
    name: 'none observed',
    applies: isDriven,
    spoil: each(() => ({ modelObserved: [] })),
  },
  {
    code: 'model-observed',
    name: 'two snapshots',
    applies: isDriven,
    spoil: each((fact) => ({ modelObserved: [`model-x-1-2026010${fact.repetition % 2}`] })),
  },
  {
    code: 'unmetered',
    name: 'nobody counted',
    applies: isDriven,
    spoil: one(() => ({ metered: false, tokens: null, costMicroUsd: null })),
  },
  {
    code: 'answers-out-of-reach',
    name: 'no sandbox',
    applies: isDriven,
    spoil: (gate) => atLocal(gate),
  },
  {
    code: 'answers-out-of-reach',
    name: 'a library by a command of the user',
    applies: isPlain,
    spoil: (gate) => atLocal(renamed(gate, 'openchrome')),
  },
  {
    code: 'independent',
    name: 'same episode',
    spoil: (gate) => ({ ...gate, facts: [...gate.facts, first(gate)] }),
  },
  {
    code: 'independent',
    name: 'same recording',
    spoil: each(() => ({ recordingDigest: 'sha256:same' })),
  },
  {
    code: 'retries',
    name: 'scored and tried again',
    spoil: around((gate) => ({ retriedSlots: [first(gate)] })),
  },
  {
    code: 'complete',
    name: 'slot missing',
    spoil: around((gate) => ({
      planned: [...gate.context.planned, { ...first(gate), repetition: 99 }],
    })),
  },
  {
    code: 'complete',
    name: 'cancelled',
    spoil: one(() => ({ status: 'cancelled', verdict: null })),
  },
  {
    code: 'complete',
    name: 'voids',
    spoil: (gate, chance) =>
      one(() => ({ status: 'void', verdict: null }))(
        {
          ...gate,
          facts: gate.facts.map((fact, index) =>
            index < 2 ? { ...fact, status: 'void' as const, verdict: null } : fact,
          ),
        },
        chance,
      ),
  },
  {
    code: 'void-attempts',
    name: 'tried again',
    spoil: around((gate) => ({ replacedVoids: gate.facts.slice(0, 2) })),
  },
  { code: 'integrity', name: 'finding', spoil: one(() => ({ findings: 1 })) },
  {
    code: 'integrity',
    name: 'tampered',
    spoil: one(() => ({ status: 'tampered', verdict: 'fail' })),
  },
  {
    code: 'invalidated',
    name: 'run taken back',
    spoil: around((gate) => ({
      invalidations: [
        { target: first(gate).runId, reason: 'wrong machine', at: '2026-11-20T00:00:00.000Z' },
      ],
    })),
  },
  {
    code: 'regraded',
    name: 'disagreement',
    spoil: around((gate) => ({ regradeDisagreements: new Set([first(gate).episodeId]) })),
  },
  ...EVALUATION_SPOILERS,
  { code: 'provenance', name: 'by hand', spoil: one(() => ({ provenance: 'manual' })) },
  ...REGISTRATION_SPOILERS,
  {
    code: 'fault-fired',
    name: 'did not fire',
    spoil: one(() => ({ fault: { fired: false, recovered: null } })),
  },
  {
    code: 'fault-baseline',
    name: 'no pass without it',
    spoil: (gate, chance) =>
      one(() => ({ fault: { fired: true, recovered: true } }))(
        { ...gate, context: { ...gate.context, passedWithoutFault: new Set() } },
        chance,
      ),
  },
]
