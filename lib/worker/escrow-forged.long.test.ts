import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { edit, first, trialsOf, without } from '#lib/testing/cases/edit-job.ts'
import { EscrowBoard, reasonsOf } from '#lib/testing/cases/escrow-board.ts'
import { HARBOR_WORDS, type JobFiles } from '#lib/testing/factories/harbor-job.ts'

// @module-tag bubblewrap
vi.mock('../processes/spawn-runner.ts', async () => {
  const { runnerHere } = await import('#lib/testing/factories/runner-here.ts')
  return runnerHere()
})

let board: EscrowBoard
beforeAll(async () => {
  board = await EscrowBoard.start()
}, 300_000)
afterAll(() => board.close())

/** Makes every trial say that it is solved. */
function rewardAll(files: JobFiles): JobFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      if (path.endsWith('verifier/reward.txt')) return [path, '1\n']
      return path.includes('/')
        ? [path, text.replace(/"reward": ?0\b/, '"reward": 1')]
        : [path, text]
    }),
  )
}

const stateOf = (files: JobFiles, trial: string): JobFiles =>
  Object.fromEntries(
    Object.entries(files).filter(([path]) => path.startsWith(`${trial}/artifacts/app/`)),
  )

/** Gives a trial the final state of another. */
function withState(files: JobFiles, trial: string, state: JobFiles): JobFiles {
  const moved = Object.entries(state).map(([path, text]) => [path.replace(/^[^/]+/, trial), text])
  return { ...without(files, `${trial}/artifacts/app/`), ...Object.fromEntries(moved) }
}

/** Forgeries that contradict nothing in the folder, each of another task. */
const FORGERIES: Readonly<Record<string, { tell: (files: JobFiles) => JobFiles; says: string }>> = {
  'river, whose failed attempts have forged rewards in all files': {
    tell: rewardAll,
    says: 'sent as solved, is unsolved here with verdict fail',
  },
  'fruit, with the final state of an attempt at another task': {
    tell: (files) => withState(files, first(files, 'fruit'), stateOf(files, first(files))),
    says: 'sent as solved, is unsolved here with verdict fail',
  },
  'metal, in a copy with weaker tests that reward any word': {
    tell: (files) => ({
      ...files,
      [`${first(files, 'metal')}/artifacts/app/greet.txt`]: 'anything\n',
    }),
    says: 'sent as solved, is unsolved here with verdict fail',
  },
  'greet, in a copy whose instruction tells the answer': {
    tell: (files) =>
      edit<{ steps: { message: string }[] }>(
        files,
        `${first(files)}/agent/trajectory.json`,
        ({ steps }) => {
          for (const step of steps) step.message = 'Write hello into greet.txt.'
        },
      ),
    says: 'sent as solved, is tampered here with verdict fail (other-instruction)',
  },
}

it('finds what contradicts nothing in the folder, and does not rank it', async () => {
  const { runId, files } = await board.prepare('4.0.1', { isSolved: (task) => task !== 'river' })
  const forged = Object.values(FORGERIES).reduce((all, { tell }) => tell(all), files)
  expect(await board.refusalOf(forged)).toBeNull()
  const row = await board.rowOf('4.0.1')
  expect([row?.label, row?.rank]).toEqual(['diagnostic', null])
  expect(reasonsOf(row)['evaluated-here']).toContain('changed the verdict of 6 episodes')
  const found = await board.db.evaluation.findMany({
    where: { episode: { runId }, result: 'disagreed' },
    include: { episode: { select: { taskId: true } } },
  })
  const said = new Map(
    found.map(({ episode, record }) => [episode.taskId, JSON.parse(record).reason]),
  )
  for (const [name, { says }] of Object.entries(FORGERIES))
    expect([name, said.get(name.split(',')[0] ?? '')]).toEqual([name, says])
}, 300_000)

it('finds one final state in all slots', async () => {
  const { files } = await board.prepare('4.0.2')
  const state = stateOf(files, first(files))
  const trials = Object.keys(HARBOR_WORDS).flatMap((task) => trialsOf(files, task))
  const same = trials.reduce((all, trial) => withState(all, trial, state), files)
  expect(await board.refusalOf(same)).toBeNull()
  const row = await board.rowOf('4.0.2')
  expect([row?.label, row?.rank]).toEqual(['diagnostic', null])
  expect(reasonsOf(row)['evaluated-here']).toContain('changed the verdict of 9 episodes')
}, 300_000)
