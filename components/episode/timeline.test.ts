import { describe, expect, it } from 'vitest'
import { phaseSegments } from './timeline.tsx'

const wall = {
  prepareMs: 10,
  subjectMs: 60,
  restoreMs: 5,
  verifyMs: 20,
  evidenceMs: 5,
  totalMs: 100,
}

describe('phases of an episode', () => {
  it('shares out the whole', () => {
    expect(phaseSegments(wall).map(({ name, share }) => [name, share])).toEqual([
      ['prepare', 0.1],
      ['subject', 0.6],
      ['restore', 0.05],
      ['verify', 0.2],
      ['evidence', 0.05],
    ])
  })

  it('names the time between phases and never exceeds the whole', () => {
    expect(phaseSegments({ ...wall, totalMs: 200 }).at(-1)).toMatchObject({
      name: 'between phases',
      share: 0.5,
    })
    const overlapping = phaseSegments({ ...wall, totalMs: 50 })
    expect(overlapping.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  it('draws nothing of an episode that took no time', () => {
    const none = {
      prepareMs: 0,
      subjectMs: 0,
      restoreMs: 0,
      verifyMs: 0,
      evidenceMs: 0,
      totalMs: 0,
    }
    expect(phaseSegments(none).every(({ share }) => share === 0)).toBe(true)
  })
})
