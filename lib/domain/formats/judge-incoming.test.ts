import { expect, it } from 'vitest'
import { sampleBundle } from '../../testing/factories/sample-bundle.ts'
import { sampleEpisode, samplePlan } from '../../testing/factories/samples.ts'
import { identifyEpisode, type OutcomeStatus, sealEpisode } from '../record/index.ts'
import { judgeAttempts, judgeIncoming } from './judge-incoming.ts'

const attempts = (...endings: OutcomeStatus[]) =>
  endings.map((status, index) => ({
    episodeId: `ep_${index}`,
    seal: `sha256:${index}`,
    runId: 'run_1',
    taskId: 'alpha',
    repetition: 1,
    attempt: index + 1,
    status,
    subject: 'a',
    path: `episodes.${index}`,
    evidence: { matched: 0, missing: 0 },
  }))

it('takes no more attempts of a slot than its plan allows', () => {
  const many = attempts('void', 'void', 'void', 'void', 'solved')
  const { fresh, flawed } = judgeIncoming(many, [], 3)
  expect(fresh).toHaveLength(3)
  expect(flawed.map(({ message }) => message)).toEqual([
    'is attempt 4 of alpha, repetition 1, and the plan allows 3: the void ones stay as they are',
    'is attempt 5 of alpha, repetition 1, and the plan allows 3: the void ones stay as they are',
  ])
})

it('does not count what was cancelled with its run, nor where no limit was reported', () => {
  expect(judgeIncoming(attempts('cancelled', 'void', 'void', 'solved'), [], 3).flawed).toEqual([])
  expect(judgeIncoming(attempts('void', 'void', 'void', 'solved'), [], null).flawed).toEqual([])
})

it('finds the attempts of a whole bundle that no server would take', () => {
  const bundle = sampleBundle()
  expect(judgeAttempts(bundle)).toEqual([])
  const { seal: _, ...body } = sampleEpisode({ attempt: 2 })
  const late = sealEpisode({ ...body, episodeId: identifyEpisode(body) })
  expect(judgeAttempts({ plan: samplePlan(), episodes: [late] })).toEqual([
    {
      path: 'episodes.0',
      message: `attempt 1 of ${late.taskId}, repetition 1 is missing: upload all attempts of the run together`,
    },
  ])
})
