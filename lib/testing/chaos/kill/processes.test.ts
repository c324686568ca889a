import { describe, expect, it } from 'vitest'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import type { OwnedProcess } from './processes.ts'
import { drawTarget, findVictims, parseKillOptions } from './processes.ts'

const runner: OwnedProcess = {
  pid: 1,
  kind: 'runner',
  words: [],
  runId: 'run_aaaaaaaa',
  episodeId: null,
}
const web: OwnedProcess = { pid: 2, kind: 'web', words: [], runId: null, episodeId: null }

describe('the orders of the kill test', () => {
  it('are a hundred kills of anything by default', () => {
    expect(parseKillOptions([], 7)).toEqual({ times: 100, seed: 7, only: [], within: 0 })
    const argv = ['--times', '9', '--seed', '3', '--only', 'worker,web', '--within', '60']
    expect(parseKillOptions(argv, 7)).toEqual({
      times: 9,
      seed: 3,
      only: ['web', 'worker'],
      within: 60,
    })
  })

  it.each([
    [['--times', '0'], '--times takes'],
    [['--seed', 'x'], '--seed takes'],
    [['--only', 'web,moon'], 'does not know moon'],
    [['--within', '-1'], 'within'],
    [['--wat'], '--wat'],
  ])('%j are refused in a sentence', (argv, words) => {
    expect(parseKillOptions(argv, 7)).toContain(words)
  })

  it('draw the same targets from the same seed', () => {
    const draw = (seed: number) => {
      const chance = seededGenerator(seed)
      return Array.from({ length: 30 }, () => drawTarget([], chance))
    }
    expect(draw(5)).toEqual(draw(5))
    expect(draw(5)).not.toEqual(draw(6))
  })

  it('hit two different processes at once, and never a spared runner', () => {
    const chance = seededGenerator(1)
    const both = findVictims('two', [runner, web], chance, new Set())
    expect(both?.victims.map(({ pid }) => pid).sort()).toEqual([1, 2])
    expect(findVictims('runner', [runner, web], chance, new Set(['run_aaaaaaaa']))).toBeNull()
  })
})
