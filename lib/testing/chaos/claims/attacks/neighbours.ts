import { OTHER_REPOSITORY } from '../../../factories/local-issuer.ts'
import { type BoardAttack, expectLabelled, mustRegister, playedOf } from '../attack.ts'
import type { AttackedBoard, AttackSender } from '../attacked-board.ts'
import { changeCalls, newRunId, type PlanChanges, type RunChanges } from '../forge.ts'

/** A variant of an attack: the kind of sender, and the number of shards. */
type Way = {
  name: string
  shards: number
  by: (ground: AttackedBoard, name: string) => AttackSender | Promise<AttackSender>
}
const WORKFLOW: Way = {
  name: 'by-workflow',
  shards: 1,
  by: (ground) => ground.workflow(OTHER_REPOSITORY),
}
const SHARDS: Way = { name: 'in-shards', shards: 2, by: (ground, name) => ground.token(name) }
const NEW_TOKEN: Way = {
  name: 'by-another-token',
  shards: 1,
  by: async (ground, name) => (await ground.tokensOfPerson(name))[1],
}

type Attack = {
  tries: string
  codes: readonly string[]
  plan?: PlanChanges
  run?: RunChanges
  ways: readonly Way[]
}

const ALL = [WORKFLOW, SHARDS, NEW_TOKEN]

/**
 * Attacks that the tests play with a token, and the variants that could end differently. Uploads in the browser,
 * PostgreSQL and archives are in `lib/server/ingest/withheld-results.int.test.ts`; runs of this server are in
 * `local-runs.ts`.
 */
const ATTACKS: Readonly<Record<string, Attack>> = {
  cancels: {
    tries: 'failures reported as cancelled and tried again',
    codes: ['void-attempts'],
    run: { attempts: ({ index }) => (index % 3 === 0 ? ['cancelled', 'solved'] : ['solved']) },
    ways: ALL,
  },
  late: {
    tries: 'a plan registered 26 seconds after its last episode ended',
    codes: ['registered'],
    run: { startedAt: new Date(Date.now() - 27_200) },
    ways: ALL,
  },
  'cheap-calls': {
    tries: 'envelopes of a tenth of the cost of their calls',
    codes: ['mode-evidence'],
    run: {
      files: (files) => ({
        ...files,
        'calls.ndjson': changeCalls(files, () => ({ costMicroUsd: 900_000 })),
      }),
    },
    ways: [WORKFLOW, SHARDS],
  },
  'false-recording': {
    tries: 'recorded-real without its recording',
    codes: ['mode-evidence'],
    run: { change: () => ({ mode: 'recorded-real' }) },
    ways: [WORKFLOW, SHARDS],
  },
  'no-work': {
    tries: "a vendor's agent at 0 % from untouched stubs",
    codes: ['evaluated-here'],
    plan: { subject: { name: 'claude', adapterVersion: 'c39fd55826c3-p3' } },
    run: { attempts: () => ['failed'] },
    ways: [WORKFLOW, SHARDS],
  },
}

/** Every attack of the table in each of its variants. */
export const NEIGHBOUR_ATTACKS: readonly BoardAttack[] = Object.entries(ATTACKS).flatMap(
  ([attack, { tries, codes, plan: changes = {}, run = {}, ways }]) =>
    ways.map((way): BoardAttack => {
      const name = `${attack}-${way.name}`
      return {
        name,
        tries: `${tries}, ${way.name.replaceAll('-', ' ')}`,
        expected: expectLabelled(...codes),
        play: async (ground) => {
          const by = await way.by(ground, name)
          // The name of a shipped agent stays; other entries differ by name.
          const frozenAt = new Date(Date.now() - 29_000).toISOString()
          const seed = { seed: 100 + ways.indexOf(way) }
          const made = { frozenAt, ...changes, settings: { ...seed, ...changes.settings } }
          const plan = ground.plan(name, made)
          const runs = Array.from({ length: way.shards }, (_, at) => ({
            runId: newRunId(),
            shard: { index: at + 1, count: way.shards },
          }))
          await mustRegister(ground, by, { plan, runs })
          const startedAt = attack === 'late' ? new Date(Date.now() - 27_200) : new Date()
          const sent = runs.map(({ runId, shard }) =>
            ground.run(plan, { ...run, startedAt, runId, shard }),
          )
          const ends = []
          for (const one of sent) ends.push(playedOf(await ground.send(by, one), one))
          return { answer: null, runIds: ends.flatMap(({ runIds }) => runIds) }
        },
      }
    }),
)
