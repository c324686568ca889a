import { describe, expect, it } from 'vitest'
import { meanPassK } from './pass-k.ts'

/**
 * Solved trials of four for each of the 50 airline tasks, in the order of their ids: the rewards of
 * `historical_trajectories/gpt-4o-airline.json` in github.com/sierra-research/tau-bench at 59a200c (MIT, © 2024 Sierra).
 */
const SOLVED_OF_4 = '01100111000142021140430040220122003443413241222144'
const tallies = [...SOLVED_OF_4].map((solved, index) => ({
  taskId: `task-${index}`,
  ...{ solved: Number(solved), scored: 4, voids: 0 },
}))

/** As the leaderboard in that repository's README prints them. */
const PUBLISHED = ['0.420', '0.273', '0.220', '0.200']

describe('pass^k of gpt-4o on tau-bench airline', () => {
  it.each(PUBLISHED.map((figure, index) => [index + 1, figure] as const))(
    'pass^%i is the published %s',
    (k, figure) => {
      const found = meanPassK(tallies, k)
      expect(found.ok && found.value.passHatK.toFixed(3)).toBe(figure)
    },
  )

  it('is refused for more tries than were made', () => {
    const found = meanPassK(tallies, 5)
    expect(found.ok ? null : found.refusal.code).toBe('k-exceeds-n')
  })
})
