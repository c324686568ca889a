import type { BoardRow } from '#lib/domain/board/index.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import {
  type BoardAttack,
  expectLabelled,
  expectRefused,
  mustRegister,
  mustSend,
  sendRegistered,
} from '../attack.ts'
import { answeredBy, newRunId, type PlanChanges, type RunChanges } from '../forge.ts'

/** The honest subject that look-alikes imitate; its row exists before any attack. */
export const HONEST_SUBJECT = 'honest-agent'

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

const model = (modelRequested: string): { plan: PlanChanges; run: RunChanges } => ({
  plan: { subject: { modelRequested } },
  run: answeredBy(modelRequested),
})
const called = (name: string, more: PlanChanges['subject'] = {}) => ({
  plan: { subject: { name, ...more } },
})

/** False identities, and rows that mix several. */
export const IDENTITY_ATTACKS: readonly BoardAttack[] = [
  one(
    'cyrillic',
    'a model id with a Cyrillic letter',
    expectRefused(/U\+043E, which looks like "o"/),
    model('m\u043edel-1'),
  ),
  one(
    'zero-width',
    'a model id with a zero-width space',
    expectRefused(/invisible character \(U\+200B\)/),
    model('mod\u200bel-1'),
  ),
  one('bidi', 'a provider that reads backwards', expectRefused(/invisible character \(U\+202E\)/), {
    plan: { subject: { provider: '\u202eanthropic' } },
  }),
  one(
    'case-of-shipped',
    'Claude beside the shipped claude',
    expectRefused(/looks like claude/),
    called('Claude'),
  ),
  one(
    'case-of-a-row',
    'the name of an honest row with a capital letter',
    expectLabelled('identity'),
    called('Honest-agent'),
  ),
  one('digit-of-a-row', 'the name of an honest row with a 1 for an l', expectLabelled('identity'), {
    plan: { subject: { modelRequested: 'mode1-1' } },
    run: answeredBy('mode1-1'),
  }),
  one(
    'shipped-name',
    'a definition of its own under the name claude',
    expectLabelled('identity'),
    called('claude'),
  ),
  one(
    'told-as-library',
    'an agent reported as a library, which needs no pins',
    expectRefused(/measures only agents and controls/),
    {
      plan: { subject: { kind: 'library', adapterVersion: '1.0.0' } },
    },
  ),
  one(
    'told-as-control',
    'an agent reported as a control, which needs no pins',
    expectLabelled('subject-kind'),
    {
      plan: {
        subject: { kind: 'control', provider: null, modelRequested: null },
        settings: { temperature: null, maxSteps: null, maxTokens: null, maxCostMicroUsd: null },
      },
      run: {
        change: ({ subject }) => ({ subject: { ...subject, modelObserved: [] }, usage: null }),
      },
    },
  ),
  {
    name: 'two-machines',
    tries: 'one row from two machines, systems and runtimes',
    expected: {
      end: 'shown',
      find: ({ mixed = [] }) =>
        mixed.length >= 3 ? `mixed: ${mixed.map(({ what }) => what).join(', ')}` : null,
    },
    play: (ground) =>
      sendRegistered(ground, 'two-machines', {
        run: {
          change: ({ environment }, { index }) =>
            index % 2 === 0
              ? {}
              : {
                  environment: {
                    ...environment,
                    kernel: '5.4.0',
                    node: '22.1.0',
                    hostFingerprint: digestJson('another machine'),
                  },
                },
        },
      }),
  },
  {
    name: 'forked-rows',
    tries: 'a second row of one subject under half the budget, and its bad one',
    expected: {
      end: 'shown',
      find: ({ siblings }) =>
        siblings?.own ? `siblings: ${siblings.own} more row of this subject and sender` : null,
    },
    play: async (ground) => {
      const by = await ground.token('forked-rows')
      const ids = [newRunId(), newRunId()]
      for (const [index, runId] of ids.entries()) {
        const plan = ground.plan('forked-rows', { settings: { maxSteps: 50 - 20 * index } })
        await mustRegister(ground, by, { plan, runs: [{ runId }] })
        const attempts = () => [index === 0 ? ('failed' as const) : ('solved' as const)]
        await mustSend(ground, by, ground.run(plan, { runId, attempts, startedAt: new Date() }))
      }
      return { answer: null, runIds: ids.slice(1) }
    },
  },
  {
    name: 'forked-by-nothing',
    tries: 'a bad row left behind by a millisecond, a byte and a seed',
    expected: { end: 'shown', find: joined },
    play: async (ground) => {
      const by = await ground.token('forked-by-nothing')
      const ids = [newRunId(), newRunId()]
      for (const [index, runId] of ids.entries()) {
        const fork = {
          timeoutMs: 120_000 + index,
          diskQuotaBytes: 1_000_000_000 + index,
          seed: 1 + index,
        }
        const plan = ground.plan('forked-by-nothing', { settings: fork })
        await mustRegister(ground, by, { plan, runs: [{ runId }] })
        const attempts = () => [index === 0 ? ('failed' as const) : ('solved' as const)]
        await mustSend(ground, by, ground.run(plan, { runId, attempts, startedAt: new Date() }))
      }
      return { answer: null, runIds: ids.slice(1) }
    },
  },
  {
    name: 'own-suite',
    tries: 'an easier version of the suite under its name',
    expected: { end: 'apart' },
    play: (ground) =>
      sendRegistered(ground, 'own-suite', {
        plan: { plan: { suiteDigest: digestJson('an easier suite') } },
      }),
  },
]

function joined({ runIds, success }: BoardRow): string | null {
  return runIds.length === 2 && success.rate === 0.5
    ? 'one row with the bad run: 10 of 20 solved'
    : null
}
