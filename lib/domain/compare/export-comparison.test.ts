import { describe, expect, it } from 'vitest'
import {
  comparisonInputOf,
  numberedVersion,
  sampleRow,
  sampleTasks,
} from '#lib/testing/factories/sample-rows.ts'
import { buildComparison } from './build-comparison.ts'
import { type ComparisonFormat, exportComparison } from './export-comparison.ts'

const suite = numberedVersion(3)
const good = sampleRow('good', suite, sampleTasks([3, 3, 3]))
const few = sampleRow('few', suite, sampleTasks([0, 1]))
const none = sampleRow('none', suite, [])

function exported(...rows: Parameters<typeof comparisonInputOf>[0]) {
  const view = buildComparison(comparisonInputOf(rows, [suite]))
  if (!view.ok) throw new Error(view.reason)
  const textOf = (format: ComparisonFormat) => exportComparison(view, format).body
  return { pairs: textOf('pairs'), tasks: textOf('tasks'), markdown: textOf('markdown') }
}

describe('an exported comparison', () => {
  it('has a line a pair with exact values, and leaves unknown ones empty', () => {
    const [head, first, second] = exported(good, few, none).pairs.split('\r\n')
    expect(head).toMatch(
      /^a,b,verdict,difference,low,high,p,adjusted_p,common_tasks,.*confidence,similar_low,similar_high,scope$/,
    )
    expect(first).toMatch(
      /^good,few,no significant difference,0\.8333333333333334,-0\.711324865405,0\.995806960969,0\.5,0\.5,2,2,yes,/,
    )
    expect(second).toMatch(/^good,none,not comparable,,,,,,0,0,yes,There are no tasks\.,/)
  })

  it('has a line a task, in words that no spreadsheet takes for a date', () => {
    expect(exported(good, few).tasks).toBe(
      'task,good,few\r\nt00,3 of 3,0 of 3\r\nt01,3 of 3,1 of 3\r\nt02,3 of 3,\r\n',
    )
  })

  it('reads as a page, with a hostile version kept inside its cell', () => {
    const hostile = { ...few.subject, name: 'good', version: '1|<img>\u202e' }
    const { markdown } = exported(good, { ...few, subject: hostile })
    expect(markdown).toContain('# Comparison on Sample 1.0.0\n')
    expect(markdown).toContain(
      '- Undecided: good 1.2.3 may be up to 100 points better or 71 worse than good 1\\|&lt;img&gt;⟨U+202E⟩.',
    )
    expect(markdown).toContain('Safe to cite: All entries are ranked')
    expect(markdown).toContain('| t02 | 3 of 3 | – |\n')
    expect(markdown).not.toMatch(/undefined|NaN|null/)
  })
})
