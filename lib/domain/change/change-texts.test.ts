import { describe, expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { buildChange, changeMarkdown, changeTerminal } from './index.ts'

const HOSTILE = '@all #12](https://evil.example)<img src=x>|`*\u202Ex'

function report(name: string) {
  const suite = numberedVersion(12)
  const [first, ...tasks] = suite.tasks
  const hostile = {
    ...suite,
    tasks: [{ ...first, taskId: HOSTILE, title: HOSTILE, digest: 'x' }, ...tasks],
  }
  const side = (solved: number, which: string) => {
    const [one, ...rest] = sampleTasks(Array(12).fill(solved), 5)
    const counts = [{ ...one, taskId: HOSTILE, solved, scored: 5, voids: 0 }, ...rest]
    const row = sampleRow(name, suite, counts)
    return { name: which, runIds: [`run_${which}`], rows: [{ row, counted: [], suiteKnown: true }] }
  }
  return buildChange({ baseline: side(1, 'base'), candidate: side(5, 'head'), suites: [hostile] })
}

describe('a comparison as text', () => {
  it.each([
    ['a short name', 'claude'],
    ['a name of a hundred letters', 'n'.repeat(100)],
    ['a hostile name', HOSTILE],
  ])('fits a terminal of 80 columns: %s', (_, name) => {
    const text = changeTerminal(report(name), { columns: 80, isColoured: false })
    expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80)
    expect(text).toMatch(/^BETTER {2}/)
    for (const char of ['\u001B', '\u202E']) expect(text).not.toContain(char)
  })

  it('uses colours only where they were asked for', () => {
    expect(changeTerminal(report('claude'), { columns: 80, isColoured: true })).toContain(
      '\u001B[1;32mBETTER',
    )
  })

  it('adds no markup, link, mention or table cell from names to Markdown', () => {
    const text = changeMarkdown(report(HOSTILE))
    expect(text).not.toMatch(/<img|@all|]\(http|\u202E/)
    // GitHub scans the unescaped text again for mentions and issues.
    expect(text).toContain('&#64;&#8203;all')
    expect(text).toContain('\\#&#8203;12')
    const cells = text.split('\n').filter((line) => line.startsWith('| '))
    for (const line of cells) expect(line.match(/(?<!\\)\|/g)).toHaveLength(5)
  })

  it('shortens long lists of tasks and says so', () => {
    expect(changeMarkdown(report('claude'), 3)).toContain('| … and 9 more |')
  })
})
