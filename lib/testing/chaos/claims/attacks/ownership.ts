import type { Episode, EpisodeBody } from '#lib/domain/record/index.ts'
import type { BoardAttack } from '../attack.ts'
import { expectLabelled, expectRefused, playedOf, sendRegistered } from '../attack.ts'
import { newRunId } from '../forge.ts'
import type { Victims } from '../victims.ts'

const FAILS = () => ['failed' as const]

/** Attacks on rows of other senders; changes of those rows are checked at the end. */
export function ownershipAttacks(victims: Victims): readonly BoardAttack[] {
  const { honest, unfinished, owed, local } = victims
  return [
    {
      name: 'failures-under-plan',
      tries: "failures under an honest row's own plan",
      expected: expectLabelled('evaluated-here', 'registered'),
      play: async (ground) => {
        const run = ground.run(honest.plan, { attempts: FAILS, startedAt: new Date() })
        return playedOf(await ground.send(await ground.token('failures-under-plan'), run), run)
      },
    },
    {
      name: 'failures-into-run',
      tries: 'failures into the finished run of an honest row',
      expected: expectRefused(/already stored with different content/),
      play: async (ground) => {
        const run = ground.run(honest.plan, { runId: honest.runId, attempts: FAILS })
        return playedOf(await ground.send(await ground.token('failures-into-run'), run), run)
      },
    },
    {
      name: 'failures-unfinished',
      tries: "one failure into another sender's unfinished run",
      expected: expectRefused(/belongs to another sender/),
      play: async (ground) => {
        const run = ground.run(unfinished.plan, {
          runId: unfinished.runId,
          attempts: FAILS,
          sends: ({ index }) => index === 9,
        })
        return playedOf(await ground.send(await ground.token('failures-unfinished'), run), run)
      },
    },
    {
      name: 'registered-run-taken',
      tries: "a run under an id that another sender's registration names",
      expected: expectRefused(/registered by another sender/),
      play: async (ground) => {
        const run = ground.run(owed.plan, { runId: owed.runId, attempts: FAILS })
        return playedOf(await ground.send(await ground.token('registered-run-taken'), run), run)
      },
    },
    {
      name: 'registered-run-taken-other-plan',
      tries: 'the same under a plan of its own',
      expected: expectRefused(/registered by another sender/),
      play: async (ground) => {
        const run = ground.run(ground.plan('registered-run-taken-other-plan'), {
          runId: owed.runId,
        })
        return playedOf(
          await ground.send(await ground.token('registered-run-taken-other-plan'), run),
          run,
        )
      },
    },
    {
      name: 'owed-by-strangers',
      tries: "a hundred more runs of another sender's plan",
      expected: { end: 'harmless' },
      play: async (ground) => {
        const runs = Array.from({ length: 100 }, () => ({ runId: newRunId() }))
        const by = await ground.token('owed-by-strangers')
        const answer = await ground.register(by, { plan: honest.plan, runs, again: true })
        return { answer, runIds: [] }
      },
    },
    {
      name: 'failures-into-local',
      tries: 'failures into a run that this server made',
      expected: expectRefused(/already stored with different content|stored with provenance local/),
      play: async (ground) => {
        const run = ground.run(local.plan, {
          runId: local.runId,
          attempts: FAILS,
          change: asPlanned(local.plan),
        })
        return playedOf(await ground.send(await ground.token('failures-into-local'), run), run)
      },
    },
    {
      name: 'failures-beside-local',
      tries: "failures under the plan of this server's own row",
      expected: expectLabelled('evaluated-here', 'mode', 'registered', 'samples'),
      play: async (ground) => {
        const run = ground.run(local.plan, {
          attempts: FAILS,
          startedAt: new Date(),
          change: asPlanned(local.plan),
        })
        return playedOf(await ground.send(await ground.token('failures-beside-local'), run), run)
      },
    },
    {
      name: 'stranger-tops-up',
      tries: "a top-up of another sender's row by failures",
      // Registered failures form a row of their sender; the topped-up row belongs to another one.
      expected: {
        end: 'shown',
        find: ({ siblings, runIds }) =>
          runIds.length === 1 && siblings?.others
            ? `a row of its own, beside ${siblings.others} of other senders`
            : null,
      },
      play: (ground) =>
        sendRegistered(ground, 'stranger-tops-up', {
          plan: {
            subject: honest.plan.subject,
            plan: { topUpOf: { rowId: honest.rowId, runIds: [honest.runId] } },
          },
          run: { attempts: FAILS },
        }),
    },
    {
      name: 'other-repository',
      tries: 'results of a workflow that is not allowed',
      expected: expectRefused(/./),
      play: async (ground) => {
        const run = ground.run(ground.plan('other-repository'))
        return playedOf(await ground.send(ground.workflow({ repository_id: '99' }), run), run)
      },
    },
    {
      name: 'no-token',
      tries: 'results without a token',
      expected: expectRefused(/./),
      play: async (ground) => {
        const run = ground.run(ground.plan('no-token'))
        return playedOf(await ground.send({ key: async () => 'pb_made_up' }, run), run)
      },
    },
  ]
}

/** A control of this server gets the plan's subject, or it would not belong to the plan. */
const asPlanned =
  (plan: Victims['local']['plan']) =>
  ({ environment }: Episode): Partial<EpisodeBody> => ({
    mode: 'scaffold',
    subject: { ...plan.subject, settings: plan.settings, modelObserved: [] as string[] },
    environment: { ...environment, isolation: plan.settings.isolation },
  })
