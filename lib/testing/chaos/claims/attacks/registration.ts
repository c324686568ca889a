import { digestJson } from '#lib/domain/digest/index.ts'
import {
  type BoardAttack,
  expectLabelled,
  expectRefused,
  mustRegister,
  mustSend,
  playedOf,
  sendRegistered,
} from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { newRunId } from '../forge.ts'

const HOUR_MS = 3_600_000
const ago = (ms: number): Date => new Date(Date.now() - ms)

/** A registration that must be refused. */
const door = (
  name: string,
  tries: string,
  words: RegExp,
  request: (ground: AttackedBoard) => Record<string, unknown> | Promise<Record<string, unknown>>,
): BoardAttack => ({
  name,
  tries,
  expected: expectRefused(words),
  play: async (ground) => {
    const answer = await ground.register(await ground.token(name), await request(ground))
    return { answer, runIds: [] }
  },
})

/** Plans and times that are reported falsely. */
export const REGISTRATION_ATTACKS: readonly BoardAttack[] = [
  {
    name: 'backdated',
    tries: 'a plan frozen after the fact, with an old frozenAt',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const plan = ground.plan('backdated', { frozenAt: ago(24 * HOUR_MS).toISOString() })
      const run = ground.run(plan, { startedAt: ago(HOUR_MS) })
      return playedOf(await ground.send(await ground.token('backdated'), run), run)
    },
  },
  {
    name: 'registered-late',
    tries: 'a plan registered after its episodes',
    expected: expectLabelled('registered'),
    play: (ground) =>
      sendRegistered(ground, 'registered-late', {
        plan: { frozenAt: ago(2 * HOUR_MS).toISOString() },
        run: { startedAt: ago(HOUR_MS) },
      }),
  },
  {
    name: 'moved-ahead',
    tries: 'finished episodes, moved behind a registration of just now',
    expected: expectRefused(/is in the future/),
    play: (ground) =>
      sendRegistered(ground, 'moved-ahead', {
        run: {
          // Their true duration, which is longer than the registration is old, and than a sender waits.
          change: ({ startedAt }) => ({
            endedAt: new Date(Date.parse(startedAt) + 3_600_000).toISOString(),
          }),
        },
      }),
  },
  {
    name: 'registered-by-another',
    tries: 'results of one sender under the registration of another',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const plan = ground.plan('registered-by-another')
      const runId = newRunId()
      await mustRegister(ground, await ground.token('registers'), {
        plan,
        runs: [{ runId: newRunId() }],
      })
      const run = ground.run(plan, { runId })
      return playedOf(await ground.send(await ground.token('runs'), run), run)
    },
  },
  {
    name: 'plan-edited',
    tries: 'a plan edited after it was frozen',
    expected: expectRefused(/was edited after it was frozen/),
    play: async (ground) => {
      const plan = { ...ground.plan('plan-edited'), repetitions: 4 }
      const run = ground.run(plan)
      return playedOf(await ground.send(await ground.token('plan-edited'), run), run)
    },
  },
  {
    name: 'plan-from-tomorrow',
    tries: 'results under a plan frozen tomorrow',
    expected: expectRefused(/is in the future/),
    play: async (ground) => {
      const plan = ground.plan('plan-from-tomorrow', { frozenAt: ago(-24 * HOUR_MS).toISOString() })
      const run = ground.run(plan)
      return playedOf(await ground.send(await ground.token('plan-from-tomorrow'), run), run)
    },
  },
  {
    name: 'plan-unknown',
    tries: 'episodes of an unknown plan',
    expected: expectRefused(/run .* is not stored here/),
    play: async (ground) => {
      const { episodes } = ground.run(ground.plan('plan-unknown'))
      const body = Buffer.from(JSON.stringify(episodes[0]))
      const answer = await ground.sendBytes(
        await ground.token('plan-unknown'),
        body,
        'application/json',
      )
      return { answer, runIds: [] }
    },
  },
  door('no-plan', 'a registration of nothing', /send the frozen plan, or its planDigest/, () => ({
    expected: 1,
  })),
  door(
    'clock-behind',
    'a registration from a clock five minutes behind',
    /clock of your machine/,
    (ground) => ({
      plan: ground.plan('clock-behind'),
      runs: [{ runId: newRunId() }],
      sentAt: ago(300_000).toISOString(),
    }),
  ),
  door(
    'digest-of-another',
    'a plan under the digest of another',
    /but planDigest is/,
    (ground) => ({
      plan: ground.plan('digest-of-another'),
      planDigest: digestJson('another'),
      expected: 1,
    }),
  ),
  door('registered-twice', 'a plan registered twice', /already registered/, async (ground) => {
    const plan = ground.plan('registered-twice')
    await mustRegister(ground, await ground.token('first'), { plan, runs: [{ runId: newRunId() }] })
    return { plan, runs: [{ runId: newRunId() }] }
  }),
  {
    name: 'registered-after-arrival',
    tries: 'a registration of a run that came in already',
    expected: expectRefused(/was already uploaded/),
    play: async (ground) => {
      const by = await ground.token('registered-after-arrival')
      const run = ground.run(ground.plan('registered-after-arrival'))
      await mustSend(ground, by, run)
      const answer = await ground.register(by, { plan: run.plan, runs: [{ runId: run.runId }] })
      return { answer, runIds: [] }
    },
  },
  {
    name: 'older-policy',
    tries: 'a plan of an older policy',
    expected: expectLabelled('policy-version'),
    play: (ground) =>
      sendRegistered(ground, 'older-policy', { plan: { plan: { policyVersion: 2 } } }),
  },
  {
    name: 'policy-to-come',
    tries: 'a plan of a policy that does not exist yet',
    expected: expectLabelled('policy-version'),
    play: (ground) =>
      sendRegistered(ground, 'policy-to-come', { plan: { plan: { policyVersion: 99 } } }),
  },
]
