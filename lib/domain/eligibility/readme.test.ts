import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OUTCOME_STATUSES, PROVENANCE_LEVELS } from '../record/index.ts'
import { FEW_TASKS, MIN_TASKS } from '../statistics/index.ts'
import { ELIGIBILITY_RULES } from './decide-eligibility.ts'
import { POLICY } from './policy.ts'

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8')

/** Returns the rows of the table below a heading, cell by cell. */
function tableOf(heading: string): string[][] {
  const [, section = ''] = README.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const [, , ...rows] = own.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const code = (cell = '') => cell.replaceAll('`', '')

describe('the rules as documented', () => {
  it('are the rules of the code, in its order', () => {
    expect(tableOf('Evidence rules').map(([first]) => code(first))).toEqual(
      ELIGIBILITY_RULES.map((rule) => rule.code),
    )
  })

  it('are marked as fixed where the code says so', () => {
    expect(tableOf('Evidence rules').map(([, , fixed]) => fixed === 'fixed')).toEqual(
      ELIGIBILITY_RULES.map(({ fromSeed }) => fromSeed),
    )
  })

  it('have the thresholds of the policy', () => {
    const { thresholds, modelRepetitions, voidsPerSlot, clockToleranceMs, mostGuess } = POLICY
    expect(tableOf('Thresholds').map(([, value]) => code(value))).toEqual([
      String(thresholds.aggregateEpisodes),
      String(thresholds.perTaskEpisodes),
      String(modelRepetitions),
      `${100 * thresholds.voidShare} %`,
      String(voidsPerSlot),
      `${clockToleranceMs / 1000} s`,
      POLICY.weakestProvenance,
      `1/${(1 / mostGuess).toLocaleString('en')}`,
    ])
    expect(README).toContain(`Fewer than ${FEW_TASKS} tasks are marked`)
    expect(README).toContain(`With fewer than ${MIN_TASKS} tasks`)
  })

  it('name every outcome and every level of provenance', () => {
    const outcomes = tableOf('Outcomes and attribution').map(([first]) => code(first))
    expect([...outcomes].sort()).toEqual([...OUTCOME_STATUSES].sort())
    const [, provenance = ''] = README.split('**Provenance**')
    const places = PROVENANCE_LEVELS.map((level) => provenance.indexOf(`\`${level}\``))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
})
