import type { BoardRow } from '#lib/domain/board/index.ts'
import type { BoardAttack } from '../attack.ts'
import { mustRegister, mustSend, sendRegistered } from '../attack.ts'
import { newRunId } from '../forge.ts'

/** The row's statement about a correction of this kind; null = missing or incomplete. */
const saysCorrected =
  (kind: string, without: number) =>
  ({ corrections, success, looks }: BoardRow): string | null => {
    if (!corrections || corrections.entries[0]?.kind !== kind) return null
    if (Math.abs((corrections.without.rate ?? 0) - without) > 0.001) return null
    if (kind === 'remove' && (looks?.stages ?? 1) < 2) return null
    return `${corrections.count} correction: ${success.rate} with it, ${corrections.without.rate} without`
  }

/** Attacks by an administrator who favours a row. */
export const CORRECTION_ATTACKS: readonly BoardAttack[] = [
  {
    name: 'bad-run-removed',
    tries: 'an administrator removes the bad one of two runs',
    expected: { end: 'shown', find: saysCorrected('remove', 0.5) },
    play: async (ground) => {
      const by = await ground.token('bad-run-removed')
      const plan = ground.plan('bad-run-removed')
      const [bad, good] = [newRunId(), newRunId()]
      await mustRegister(ground, by, { plan, runs: [{ runId: bad }, { runId: good }] })
      const fails = { runId: bad, startedAt: new Date(), attempts: () => ['failed' as const] }
      await mustSend(ground, by, ground.run(plan, fails))
      await mustSend(ground, by, ground.run(plan, { runId: good, startedAt: new Date() }))
      await ground.correct('remove', bad)
      return { answer: null, runIds: [good] }
    },
  },
  {
    name: 'failure-invalidated',
    tries: 'an administrator invalidates the one failure',
    expected: { end: 'shown', find: saysCorrected('invalidate', 0.95) },
    play: async (ground) => {
      const { run, ...sent } = await sendRegistered(ground, 'failure-invalidated', {
        plan: { plan: { repetitions: 10 } },
        run: { attempts: ({ index }) => (index === 3 ? ['failed'] : ['solved']) },
      })
      const failure = run.episodes.find(({ outcome }) => outcome.status !== 'solved')
      await ground.correct('invalidate', failure?.episodeId ?? '')
      return sent
    },
  },
]
