import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { edit, first, trialsOf, without } from '#lib/testing/cases/edit-job.ts'
import { EscrowBoard, reasonsOf } from '#lib/testing/cases/escrow-board.ts'
import { HARBOR_WORDS, type JobFiles, type MadeJob } from '#lib/testing/factories/harbor-job.ts'

// @module-tag bubblewrap
vi.mock('../processes/spawn-runner.ts', async () => {
  const { runnerHere } = await import('#lib/testing/factories/runner-here.ts')
  return runnerHere()
})

let board: EscrowBoard
beforeAll(async () => {
  board = await EscrowBoard.start()
}, 120_000)
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

type Forgery = {
  name: string
  version: string
  made?: Partial<MadeJob>
  tell: (files: JobFiles) => JobFiles
  says: string
}

const fails = { isSolved: (task: string) => task !== 'river' }
const FORGERIES: readonly Forgery[] = [
  {
    name: 'rewards forged in result and verifier’s files alike',
    version: '4.0.1',
    made: fails,
    tell: rewardAll,
    says: 'changed the verdict of 3 episodes (tasks: river)',
  },
  {
    name: 'the final state of an attempt at another task',
    version: '4.0.2',
    tell: (files) => withState(files, first(files, 'river'), stateOf(files, first(files))),
    says: 'changed the verdict of 1 episode (tasks: river)',
  },
  {
    name: 'the same final state in all slots',
    version: '4.0.3',
    tell: (files) => {
      const state = stateOf(files, first(files))
      const trials = Object.keys(HARBOR_WORDS).flatMap((task) => trialsOf(files, task))
      return trials.reduce((all, trial) => withState(all, trial, state), files)
    },
    says: 'changed the verdict of 9 episodes',
  },
  {
    name: 'a copy of the tasks whose tests are weaker: any word is rewarded',
    version: '4.0.4',
    tell: (files) => {
      const trial = first(files, 'metal')
      return { ...files, [`${trial}/artifacts/app/greet.txt`]: 'anything\n' }
    },
    says: 'changed the verdict of 1 episode (tasks: metal)',
  },
  {
    name: 'a copy of the tasks whose instruction tells the answer',
    version: '4.0.5',
    tell: (files) =>
      edit<{ steps: { message: string }[] }>(
        files,
        `${first(files)}/agent/trajectory.json`,
        ({ steps }) => {
          for (const step of steps) step.message = 'Write hello into greet.txt.'
        },
      ),
    says: 'changed the verdict of 1 episode (tasks: greet)',
  },
]

describe('a forgery without a contradiction', () => {
  it.each(FORGERIES)('is not ranked: $name', async ({ version, made, tell, says }) => {
    const { files } = await board.prepare(version, made)
    expect(await board.refusalOf(tell(files))).toBeNull()
    const row = await board.rowOf(version)
    expect([row?.label, row?.rank]).toEqual(['diagnostic', null])
    expect(reasonsOf(row)['evaluated-here']).toContain(says)
  })
})
