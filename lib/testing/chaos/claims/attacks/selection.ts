import type { Plan } from '#lib/domain/record/index.ts'
import {
  type BoardAttack,
  expectLabelled,
  mustRegister,
  mustSend,
  type PlayedAttack,
  playedOf,
  sendRegistered,
} from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { newRunId, type PlanChanges } from '../forge.ts'

const TRIES = 20
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Twenty registered plans that differ only in irrelevant settings; the best one is sent. */
const forked = (
  name: string,
  tries: string,
  changesOf: (index: number) => PlanChanges,
): BoardAttack => ({
  name,
  tries,
  expected: expectLabelled('registered'),
  play: async (ground) => {
    const by = await ground.token(name)
    let best: { plan: Plan; runId: string } | null = null
    for (const index of many(TRIES, (at) => at)) {
      const plan = ground.plan(name, changesOf(index))
      const runId = newRunId()
      await mustRegister(ground, by, { plan, runs: [{ runId }] })
      if (index === 7) best = { plan, runId }
    }
    if (!best) throw new Error('none is the best')
    const run = ground.run(best.plan, { runId: best.runId })
    return playedOf(await ground.send(by, run), run)
  },
})

/** Selection after the results are known. */
export const SELECTION_ATTACKS: readonly BoardAttack[] = [
  {
    name: 'best-of-20',
    tries: 'twenty registered runs of one plan, of which the best is sent',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const by = await ground.token('best-of-20')
      const plan = ground.plan('best-of-20')
      const runs = many(TRIES, () => ({ runId: newRunId() }))
      await mustRegister(ground, by, { plan, runs })
      const run = ground.run(plan, { runId: runs[11]?.runId ?? '' })
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    name: 'best-of-20-again',
    tries: 'the same, one registration after another',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const by = await ground.token('best-of-20-again')
      const plan = ground.plan('best-of-20-again')
      const ids = many(TRIES, newRunId)
      for (const [index, runId] of ids.entries())
        await mustRegister(ground, by, { plan, runs: [{ runId }], again: index > 0 })
      const run = ground.run(plan, { runId: ids[TRIES - 1] ?? '' })
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    name: 'best-unregistered',
    tries: 'one registered run, and a better one that was not registered',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const by = await ground.token('best-unregistered')
      const plan = ground.plan('best-unregistered')
      await mustRegister(ground, by, { plan, runs: [{ runId: newRunId() }] })
      const run = ground.run(plan)
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    name: 'best-shards',
    tries: 'five shards, each the best of five registered tries',
    expected: expectLabelled('registered'),
    play: (ground) => sendBestShards(ground, 'best-shards', true),
  },
  {
    name: 'best-shards-unsaid',
    tries: 'five shards, each the best of five tries under ids of their own',
    expected: expectLabelled('registered'),
    play: (ground) => sendBestShards(ground, 'best-shards-unsaid', false),
  },
  forked('forked-seed', 'twenty plans of other seeds, of which the best is sent', (seed) => ({
    settings: { seed: seed + 1 },
  })),
  forked(
    'forked-attempts',
    'twenty plans of other maxAttempts, of which the best is sent',
    (index) => ({
      settings: { maxAttempts: 1 + (index % 10) },
      plan: { repetitions: 5 + Math.floor(index / 10) },
    }),
  ),
  forked(
    'forked-timeout',
    'twenty plans a millisecond apart, of which the best is sent',
    (index) => ({
      settings: { timeoutMs: 120_000 + index },
    }),
  ),
  forked(
    'forked-quota',
    'twenty plans a byte of quota apart, of which the best is sent',
    (index) => ({
      settings: { diskQuotaBytes: 1_000_000_000 + index },
    }),
  ),
  {
    name: 'blind-20',
    tries: 'twenty plans registered by digest alone, of which the best is sent',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const by = await ground.token('blind-20')
      const plans = many(TRIES, (index) =>
        ground.plan('blind-20', { settings: { timeoutMs: 60_000 * (index + 2) } }),
      )
      for (const { planDigest } of plans)
        await mustRegister(ground, by, { planDigest, expected: 1 })
      const run = ground.run(plans[5] as Plan)
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    name: 'bad-run-withheld',
    tries: 'two registered runs, of which the bad one is withheld',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const by = await ground.token('bad-run-withheld')
      const plan = ground.plan('bad-run-withheld')
      const [runId, bad] = [newRunId(), newRunId()]
      await mustRegister(ground, by, { plan, runs: [{ runId }, { runId: bad }] })
      const run = ground.run(plan, { runId })
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    name: 'ten-ids',
    tries: 'the same results under ten registered run ids',
    expected: expectLabelled('independent'),
    play: async (ground) => {
      const by = await ground.token('ten-ids')
      const plan = ground.plan('ten-ids')
      const ids = many(10, newRunId)
      await mustRegister(ground, by, { plan, runs: ids.map((runId) => ({ runId })) })
      const startedAt = new Date()
      for (const runId of ids)
        await mustSend(ground, by, ground.run(plan, { runId, startedAt, contentOf: ids[0] ?? '' }))
      return { answer: null, runIds: ids }
    },
  },
  {
    name: 'one-for-five',
    tries: 'one lucky attempt of each task under five repetitions',
    expected: expectLabelled('independent'),
    play: (ground) =>
      sendRegistered(ground, 'one-for-five', {
        run: { copyOf: (place) => ({ ...place, repetition: 1, index: place.index % 2 }) },
      }),
  },
  {
    name: 'half-a-plan',
    tries: 'the good half of a registered plan',
    expected: expectLabelled('complete', 'samples'),
    play: (ground) =>
      sendRegistered(ground, 'half-a-plan', { run: { sends: ({ index }) => index < 6 } }),
  },
  {
    name: 'one-shard',
    tries: 'one of two registered shards',
    expected: expectLabelled('complete', 'registered', 'samples'),
    play: async (ground) => {
      const by = await ground.token('one-shard')
      const plan = ground.plan('one-shard', { plan: { repetitions: 10 } })
      const shards = [1, 2].map((index) => ({ runId: newRunId(), shard: { index, count: 2 } }))
      await mustRegister(ground, by, { plan, runs: shards })
      // The first shard has every other slot, here all of one of two tasks.
      const run = ground.run(plan, { runId: shards[0]?.runId ?? '', shard: { index: 1, count: 2 } })
      return playedOf(await ground.send(by, run), run)
    },
  },
  {
    ...forked(
      'forked-version',
      'twenty plans of other versions, of which the best is sent',
      (index) => ({
        subject: { version: `1.2.${index}` },
      }),
    ),
    expected: {
      end: 'shown',
      find: ({ registration }) =>
        registration?.abandoned === TRIES - 1
          ? `registration: nothing came of ${registration.abandoned} other plans of this sender`
          : null,
    },
  },
  {
    ...forked(
      'forked-budget',
      'twenty plans of budgets far apart, of which the best is sent',
      (index) => ({
        settings: { maxTokens: 100_000 + 20_000 * index * index },
      }),
    ),
    expected: {
      end: 'shown',
      find: ({ registration }) =>
        (registration?.abandoned ?? 0) >= TRIES - 4
          ? `registration: nothing came of ${registration?.abandoned} other plans of this sender`
          : null,
    },
  },
]

async function sendBestShards(
  ground: AttackedBoard,
  name: string,
  isRegistered: boolean,
): Promise<PlayedAttack> {
  const by = await ground.token(name)
  const plan = ground.plan(name)
  const tries = many(5, (at) =>
    many(5, () => ({ runId: newRunId(), shard: { index: at + 1, count: 5 } })),
  )
  // Runs that are not registered by id must still have a registered plan.
  const runs = isRegistered ? tries.flat() : tries.flatMap(([first]) => first ?? [])
  await mustRegister(ground, by, { plan, runs })
  const best = tries.map((ofShard) => ofShard[3] as (typeof ofShard)[number])
  for (const { runId, shard } of best)
    await mustSend(ground, by, ground.run(plan, { runId, shard, startedAt: new Date() }))
  return { answer: null, runIds: best.map(({ runId }) => runId) }
}
