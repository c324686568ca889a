import { describe, expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { buildChange, changeComment, commentMarker, concludeCheck, emptyComment } from './index.ts'

const FRAME = {
  key: 'default',
  base: 'b'.repeat(40),
  head: 'a'.repeat(40),
  runUrl: 'https://github.example/acme/shop/actions/runs/1',
}
const LIMIT = 65_536

function report(before: number, after: number, { tasks = 12, rows = 1, name = 'agent' } = {}) {
  const suite = numberedVersion(tasks)
  const side = (solved: number, which: string) => ({
    name: which,
    runIds: [`run_${which}`],
    rows: Array.from({ length: rows }, (_, index) => {
      const counts = sampleTasks(Array(tasks).fill(solved), 5)
      const refusals = Array.from({ length: 20 }, () => ({ code: 'x', reason: name, remedy: name }))
      const row = sampleRow(`${name}${index}`, suite, counts, { refusals, label: 'diagnostic' })
      return { row, counted: [], suiteKnown: true }
    }),
  })
  return buildChange({
    baseline: side(before, 'base'),
    candidate: side(after, 'head'),
    suites: [suite],
  })
}

describe('the comment on a pull request', () => {
  it('begins with its marker, and has the same bytes for the same results', () => {
    const body = changeComment(report(0, 5), FRAME)
    expect(body.startsWith(`${commentMarker('default')}\n## Proofboard: better`)).toBe(true)
    expect(body).toContain(`[workflow run](${FRAME.runUrl})`)
    expect(changeComment(report(0, 5), FRAME)).toBe(body)
  })

  it('stays shorter than GitHub takes, whatever was compared, and leaves no list open', () => {
    const body = changeComment(report(0, 5, { rows: 40, name: 'n'.repeat(300) }), FRAME)
    expect(body.length).toBeLessThan(LIMIT)
    expect(body).toContain('… shortened')
    expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length)
  })

  it('takes no markup from its key or from commits that are none', () => {
    expect(commentMarker('--> <img src=x>')).toBe('<!-- proofboard-compare -----img-src-x- -->')
    expect(emptyComment('Nothing.', { ...FRAME, base: '`](x)', runUrl: null })).toContain(
      '`unknown`',
    )
  })
})

describe('the conclusion of the check', () => {
  it.each([
    ['red for worse', 5, 0, 'failure', { conclusion: 'failure', title: 'Worse' }],
    ['neutral for worse where asked', 5, 0, 'neutral', { conclusion: 'neutral', title: 'Worse' }],
    ['green for better', 0, 5, 'failure', { conclusion: 'success', title: 'Better' }],
    [
      'neutral where nothing is shown',
      3,
      3,
      'failure',
      { conclusion: 'neutral', title: 'Undecided' },
    ],
  ] as const)('is %s', (_, before, after, onWorse, expected) => {
    expect(concludeCheck(report(before, after), onWorse)).toEqual(expected)
  })

  it('is green where the whole interval lies above minus ten points', () => {
    const { conclusion, title } = concludeCheck(report(5, 5, { tasks: 100 }), 'failure')
    expect([conclusion, title]).toEqual(['success', 'No difference shown'])
  })
})
