import {
  type BoardAttack,
  expectLabelled,
  expectRefused,
  mustRegister,
  mustSend,
  sendRegistered,
} from '../attack.ts'
import type { PlanChanges, RunChanges } from '../forge.ts'
import { newRunId } from '../forge.ts'

const one = (
  name: string,
  tries: string,
  expected: BoardAttack['expected'],
  told: { plan?: PlanChanges; run?: RunChanges },
): BoardAttack => ({
  name,
  tries,
  expected,
  play: (ground) => sendRegistered(ground, name, told),
})

const FAULT = 'rate-limit@2'
const fault =
  (fired: boolean): NonNullable<RunChanges['change']> =>
  ({ startedAt }) => ({
    fault: { plan: FAULT, point: 'call 2', firedAt: fired ? startedAt : null, recovered: fired },
  })

/** Attempts, samples, pins and faults: what counts, and how often it was tried. */
export const ATTEMPT_ATTACKS: readonly BoardAttack[] = [
  one(
    'voids-retried',
    'failures reported as void and tried again',
    expectLabelled('void-attempts'),
    {
      run: { attempts: ({ index }) => (index % 3 === 0 ? ['void', 'solved'] : ['solved']) },
    },
  ),
  one(
    'cancels-retried',
    'failures reported as cancelled and tried again',
    expectLabelled('void-attempts'),
    {
      run: { attempts: ({ index }) => (index % 3 === 0 ? ['cancelled', 'solved'] : ['solved']) },
    },
  ),
  one('voids-left', 'failures reported as void and left so', expectLabelled('complete'), {
    plan: { plan: { repetitions: 6 } },
    run: { attempts: ({ index }) => (index < 2 ? ['void'] : ['solved']) },
  }),
  one('attempt-9', 'attempt 9 of at most 3', expectRefused(/the plan allows 3/), {
    plan: { settings: { maxAttempts: 3 } },
    run: {
      attempts: ({ index }) => (index === 0 ? [...Array(8).fill('void'), 'solved'] : ['solved']),
    },
  }),
  one(
    'failure-replaced',
    'another attempt behind one that failed',
    expectRefused(/a later attempt cannot replace it/),
    {
      run: { attempts: ({ index }) => (index === 0 ? ['failed', 'solved'] : ['solved']) },
    },
  ),
  one('first-attempt-unsaid', 'a second attempt alone', expectRefused(/attempt 1 .* is missing/), {
    run: {
      attempts: ({ index }) => (index === 0 ? ['void', 'solved'] : ['solved']),
      sends: ({ index, attempt }) => index > 0 || attempt === 2,
    },
  }),
  one('two-repetitions', 'one task twice and another eight times', expectLabelled('samples'), {
    plan: {
      plan: ({ tasks }) => ({
        tasks: tasks.map((task, index) => ({
          ...task,
          repetitions: index === 0 ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2],
        })),
        repetitions: 8,
      }),
    },
    run: {},
  }),
  one('no-cost-limit', 'no limit of cost', expectLabelled('llm-pins'), {
    plan: { settings: { maxCostMicroUsd: null } },
  }),
  one('no-temperature', 'no temperature', expectLabelled('llm-pins'), {
    plan: { settings: { temperature: null } },
  }),
  one(
    'other-settings',
    'episodes under other settings than the plan has',
    expectRefused(/is not the planned subject/),
    {
      run: {
        change: ({ subject }) => ({
          subject: { ...subject, settings: { ...subject.settings, maxSteps: 500 } },
        }),
      },
    },
  ),
  one('ranged-version', 'a version that is a range', expectLabelled('pins'), {
    plan: { subject: { version: '^1.2.3' } },
  }),
  one(
    'unmetered',
    'episodes with unmetered use of the model',
    expectLabelled('mode-evidence', 'unmetered'),
    { run: { change: () => ({ usage: null }) } },
  ),
  one(
    'quiet-fault',
    'a stress row whose fault never fired',
    expectLabelled('fault-baseline', 'fault-fired'),
    {
      plan: { settings: { fault: FAULT } },
      run: { change: fault(false) },
    },
  ),
  one(
    'own-price',
    "a vendor's model that is free by the word of its user",
    {
      end: 'shown',
      find: ({ givenPrices }) => (givenPrices ? `price given by its user: ${givenPrices}` : null),
    },
    { plan: { settings: { price: 'free' } } },
  ),
  {
    name: 'easier-baseline',
    tries: 'a stress row beside a baseline of twice the budget',
    expected: expectLabelled('fault-baseline'),
    play: async (ground) => {
      const by = await ground.token('easier-baseline')
      const [plain, stress] = [newRunId(), newRunId()]
      const easy = ground.plan('easier-baseline', {
        settings: { maxTokens: 1_000_000, maxSteps: 100 },
      })
      const hard = ground.plan('easier-baseline', { settings: { fault: FAULT } })
      await mustRegister(ground, by, { plan: easy, runs: [{ runId: plain }] })
      await mustRegister(ground, by, { plan: hard, runs: [{ runId: stress }] })
      await mustSend(ground, by, ground.run(easy, { runId: plain, startedAt: new Date() }))
      const run = ground.run(hard, { runId: stress, startedAt: new Date(), change: fault(true) })
      await mustSend(ground, by, run)
      return { answer: null, runIds: [stress] }
    },
  },
]
