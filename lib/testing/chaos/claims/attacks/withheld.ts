import type { PlanDraft } from '#lib/domain/record/index.ts'
import { OTHER_REPOSITORY } from '../../../factories/local-issuer.ts'
import {
  type BoardAttack,
  expectLabelled,
  mustRegister,
  mustSend,
  playedOf,
  sendRegistered,
} from '../attack.ts'
import type { AttackedBoard, AttackSender } from '../attacked-board.ts'
import { MODEL, newRunId, type PlanChanges, type RunChanges } from '../forge.ts'

type SenderOf = (ground: AttackedBoard, name: string) => AttackSender | Promise<AttackSender>
const byToken: SenderOf = (ground, name) => ground.token(name)
const byWorkflow: SenderOf = (ground) => ground.workflow(OTHER_REPOSITORY)

/** A top-up plan of these runs with one more repetition of each task. */
const oneMore =
  (runIds: readonly string[]) =>
  ({ tasks }: PlanDraft): Partial<PlanDraft> => ({
    tasks: tasks.map((task) => ({ ...task, repetitions: [99] })),
    topUpOf: { rowId: `row_${'0'.repeat(24)}`, runIds: [...runIds] },
  })

/** Sends the first eight of ten registered episodes; a top-up of two fills the slots of those that failed. */
const toppedUp = (
  name: string,
  tries: string,
  senderOf: SenderOf,
  shards: readonly { index: number; count: number }[] = [{ index: 1, count: 1 }],
): BoardAttack => ({
  name,
  tries,
  expected: expectLabelled('void-attempts'),
  play: async (ground) => {
    const by = await senderOf(ground, name)
    const plan = ground.plan(name)
    const runs = shards.map((shard) => ({ runId: newRunId(), shard }))
    await mustRegister(ground, by, { plan, runs })
    for (const { runId, shard } of runs) {
      const most = shards.length > 1 ? 4 : 8
      const sends: RunChanges['sends'] = ({ index }) => index < most
      const run = ground.run(plan, { runId, shard, sends, startedAt: new Date() })
      await mustSend(ground, by, run)
    }
    const runIds = runs.map(({ runId }) => runId)
    const more = ground.plan(name, { plan: oneMore(runIds) })
    const moreId = newRunId()
    await mustRegister(ground, by, { plan: more, runs: [{ runId: moreId }] })
    const run = ground.run(more, { runId: moreId, startedAt: new Date() })
    return playedOf(await ground.send(by, run), run)
  },
})

/** Ten plans of one subject with different prompts, of which one is sent. */
const alike = (
  name: string,
  tries: string,
  changesOf: (index: number) => PlanChanges,
  senderOf: SenderOf = byToken,
): BoardAttack => ({
  name,
  tries,
  expected: expectLabelled('registered'),
  play: async (ground) => {
    const by = await senderOf(ground, name)
    for (let index = 1; index < 10; index++)
      await mustRegister(ground, by, {
        plan: ground.plan(name, changesOf(index)),
        runs: [{ runId: newRunId() }],
      })
    return sendRegistered(ground, name, { plan: changesOf(0), by })
  },
})

const PREFIXES = [
  '',
  'anthropic/',
  'vendor/',
  'openrouter/anthropic/',
  'a/',
  'b/',
  'c/',
  'd/',
  'e/',
  'f/',
]

/** Results that were registered, started or run, and not sent. */
export const WITHHELD_ATTACKS: readonly BoardAttack[] = [
  toppedUp('unsent-topped-up', 'eight of ten episodes, and a top-up for the two failures', byToken),
  toppedUp('unsent-by-workflow', 'the same by a workflow', byWorkflow),
  toppedUp('unsent-in-shards', 'the same in two shards', byToken, [
    { index: 1, count: 2 },
    { index: 2, count: 2 },
  ]),
  alike(
    'prefixed-model',
    'ten plans whose model has other prefixes, one of them sent',
    (index) => ({
      subject: { modelRequested: `${PREFIXES[index]}${MODEL}` },
    }),
  ),
  alike(
    'prefixed-by-workflow',
    'the same by a workflow',
    (index) => ({ subject: { modelRequested: `${PREFIXES[index]}${MODEL}` } }),
    byWorkflow,
  ),
  alike(
    'spaced-version',
    'ten plans whose version has other spaces, one of them sent',
    (index) => ({
      subject: { version: `1.2.3${' '.repeat(index)}` },
    }),
  ),
  alike('look-alike-model', 'ten plans whose model looks the same, one of them sent', (index) => ({
    subject: {
      modelRequested: `${MODEL.replace('e', index === 0 ? 'e' : '\u0435')}${'\u200b'.repeat(index)}`,
    },
  })),
  alike('look-alike-name', 'ten plans whose name looks the same, one of them sent', (index) => ({
    subject: { name: `look${'.-_'.repeat(4).slice(0, index)}alike-name` },
  })),
  {
    name: 'two-tokens',
    tries: 'twenty runs registered by one token, the best sent by another of the same person',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const [one, other] = await ground.tokensOfPerson('two-tokens')
      const plan = ground.plan('two-tokens')
      const runs = Array.from({ length: 19 }, () => ({ runId: newRunId() }))
      await mustRegister(ground, one, { plan, runs })
      const [best, runId] = [ground.plan('two-tokens', { settings: { seed: 2 } }), newRunId()]
      await mustRegister(ground, other, { plan: best, runs: [{ runId }] })
      const run = ground.run(best, { runId, startedAt: new Date() })
      return playedOf(await ground.send(other, run), run)
    },
  },
  {
    name: 'cancelled-few',
    tries: 'one attempt of 22 reported as cancelled and run again',
    expected: {
      end: 'shown',
      find: (_row, _board, page) => /1 cancelled attempt/.exec(page)?.[0] ?? null,
    },
    play: (ground) =>
      sendRegistered(ground, 'cancelled-few', {
        plan: { plan: { repetitions: 11 } },
        run: { attempts: ({ index }) => (index === 3 ? ['cancelled', 'solved'] : ['solved']) },
      }),
  },
  {
    name: 'registered-after-the-end',
    tries: 'a plan registered 26 seconds after its last episode ended',
    expected: expectLabelled('registered'),
    play: (ground) =>
      sendRegistered(ground, 'registered-after-the-end', {
        plan: { frozenAt: new Date(Date.now() - 29_000).toISOString() },
        run: { startedAt: new Date(Date.now() - 27_200) },
      }),
  },
  {
    name: 'split-by-limit',
    tries: 'one subject in two rows, split by a limit',
    expected: {
      end: 'shown',
      find: (_row, _board, page) => /one of 2 entries of this/.exec(page)?.[0] ?? null,
    },
    play: async (ground) => {
      const by = await ground.token('split-by-limit')
      await sendRegistered(ground, 'split-by-limit', {
        by,
        plan: { settings: { maxTokens: 900_000 } },
        run: { attempts: () => ['failed'] },
      })
      return sendRegistered(ground, 'split-by-limit', { by })
    },
  },
  {
    name: 'other-versions-unsent',
    tries: 'ten plans of other versions, of which the best is sent',
    expected: {
      end: 'shown',
      find: (_row, _board, page) =>
        /9 registered plans without all results/.exec(page)?.[0] ?? null,
    },
    play: async (ground) => {
      const name = 'other-versions-unsent'
      const by = await ground.token(name)
      for (let index = 1; index < 10; index++)
        await mustRegister(ground, by, {
          plan: ground.plan(name, { subject: { version: `1.${index}.0` } }),
          runs: [{ runId: newRunId() }],
        })
      return sendRegistered(ground, name, { by })
    },
  },
]
