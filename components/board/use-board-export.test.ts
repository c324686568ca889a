import { describe, expect, it } from 'vitest'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { sampleBoardRow, tableRow } from '#lib/testing/factories/sample-board-row.ts'
import { BOARD_COLUMNS, COLUMN_IDS, type ColumnId } from './board-columns.tsx'
import { splitRows } from './board-view.ts'
import { isComplete, tableToCsv, tableToMarkdown } from './use-board-export.ts'

const subject = sampleBoardRow().subject

const tableOf = (rows: readonly BoardRow[], hidden: readonly ColumnId[] = []) => ({
  bands: splitRows(rows.map(tableRow)),
  columns: COLUMN_IDS.filter((id) => !hidden.includes(id)),
  against: null,
  source: rows,
})
const rowsToCsv = (rows: readonly BoardRow[], hidden: readonly ColumnId[]) =>
  tableToCsv(tableOf(rows, hidden))
const rowsToMarkdown = (rows: readonly BoardRow[], hidden: readonly ColumnId[]) =>
  tableToMarkdown(tableOf(rows, hidden))

describe('exported rows', () => {
  it('writes exact values and only the chosen columns', () => {
    const chosen: readonly ColumnId[] = ['success', 'cost', 'p50', 'p95']
    const hidden = COLUMN_IDS.filter((id) => !BOARD_COLUMNS[id].fixed && !chosen.includes(id))
    const csv = rowsToCsv([sampleBoardRow()], hidden)
    expect(csv).toBe(
      'rank,letters,pool,subject,version,model,success_rate,success_low,success_high,samples,method,' +
        'cost_per_success_micro_usd,solved_p50_ms,solved_p95_ms\r\n' +
        '1–3,A,primary/llm,claude,2.1.329,claude-sonnet-4-6,0.84,0.684,0.955,25 tasks × 1,task-clustered t,' +
        '41250,84000,212000\r\n',
    )
  })

  it('says how a browser library is driven, where there is one', () => {
    const library = { ...subject, modelRequested: null, targeting: 'css' as const }
    const rows = [
      sampleBoardRow(),
      sampleBoardRow({ rowId: 'row-b', driven: 'scripted', subject: library }),
    ]
    const [head, first, second] = rowsToCsv(rows, []).split('\r\n')
    expect(head).toContain(',model,driven,')
    expect(first).toContain(',claude-sonnet-4-6,,')
    expect(second).toContain(',,scripted · css,')
  })

  it('gives both results of grading and the verifier, where solutions were graded', () => {
    const grading = {
      scored: 25,
      visiblePassed: 22,
      heldOutScored: 3,
      heldOutPassed: 2,
      tasks: 25,
      heldOutTasks: 3,
      verifiers: [
        { sandbox: 'bubblewrap' as const, network: 'none' as const, digest: null, episodes: 25 },
      ],
    }
    const rows = [sampleBoardRow({ grading }), sampleBoardRow({ rowId: 'row-b' })]
    const [head, first, second] = rowsToCsv(rows, ['cost', 'tokens', 'p50', 'p95']).split('\r\n')
    expect(head).toContain(',method,visible_passed,held_out,held_out_passed,held_out_scored,')
    expect(head).toContain(',verifier_sandbox,verifier_network,evidence,reasons')
    expect(first).toContain(',22,held-out on 3 of 25 tasks,2,3,')
    expect(first).toContain(',bubblewrap,none,ranked,')
    expect(second).toContain(',task-clustered t,,,,,')
    expect(second).toContain(',,,ranked,')
    expect(rowsToMarkdown(rows, [])).toContain('| 22 | held-out on 3 of 25 tasks | 2 | 3 |')
  })

  it('have their columns in the order of the table', () => {
    const csv = tableToCsv({ ...tableOf([sampleBoardRow()]), columns: ['date', 'subject', 'cost'] })
    expect(csv.split('\r\n')[0]).toBe(
      'last_started_at,subject,version,model,cost_per_success_micro_usd',
    )
  })

  it('stand in the order of the table, band by band', () => {
    const named = (name: string, changes: Parameters<typeof sampleBoardRow>[0] = {}) =>
      sampleBoardRow({ rowId: name, subject: { ...subject, name }, ...changes })
    const scripted = { driven: 'scripted' as const }
    const rows = [named('script-a', scripted), named('agent-a'), named('script-b', scripted)]
    const csv = rowsToCsv([...rows, named('agent-b'), named('agent-c')], [])
    expect(csv.match(/(?:agent|script)-[abc]/g)).toEqual([
      ...['agent-a', 'agent-b', 'agent-c', 'script-a', 'script-b'],
    ])
  })

  it('tell entries apart that ran under other conditions', () => {
    const cold = { ...sampleBoardRow().settings, browser: 'cold' as const }
    const csv = rowsToCsv(
      [sampleBoardRow(), sampleBoardRow({ rowId: 'row-b', settings: cold })],
      [],
    )
    expect(csv).toContain(',conditions,')
    expect(csv).toContain(',claude-sonnet-4-6,cold,')
  })

  it('have what the table shows beside a baseline', () => {
    const rows = ['base', 'better', 'other'].map((rowId) => sampleBoardRow({ rowId }))
    const against = {
      base: { kind: 'baseline' as const },
      better: {
        kind: 'better' as const,
        difference: 0.25,
        text: '',
        cost: { value: 0.5, low: 0.25, high: null, tasks: 9 },
        time: null,
      },
      other: { kind: 'refused' as const, text: '' },
    }
    const lines = tableToCsv({ ...tableOf(rows), against }).split('\r\n')
    expect(lines[0]).toContain(
      ',baseline_difference,baseline_verdict,cost_ratio,cost_ratio_low,cost_ratio_high,time_ratio,time_ratio_low,time_ratio_high',
    )
    expect(lines[1]).toMatch(/,,baseline,,,,,,$/)
    expect(lines[2]).toMatch(/,0\.25,better,0\.5,0\.25,,,,$/)
    expect(lines[3]).toMatch(/,,not comparable,,,,,,$/)
  })

  it('are refused while the board that was fetched lacks a row of the table', () => {
    const rows = ['a', 'b'].map((rowId) => sampleBoardRow({ rowId }))
    expect(isComplete(tableOf(rows))).toBe(true)
    expect(isComplete({ ...tableOf(rows), source: rows.slice(1) })).toBe(false)
  })

  it('quotes separators and defuses formulas', () => {
    const modelRequested = '=HYPERLINK("http://evil","x,y")'
    const csv = rowsToCsv([sampleBoardRow({ subject: { ...subject, modelRequested } })], [])
    expect(csv).toContain(`"'=HYPERLINK(""http://evil"",""x,y"")"`)
  })

  it('keeps a hostile name inside its Markdown cell', () => {
    const modelRequested = 'a|b\n<img src=x>'
    const markdown = rowsToMarkdown(
      [sampleBoardRow({ subject: { ...subject, modelRequested } })],
      [],
    )
    expect(markdown.split('\n')).toHaveLength(4)
    expect(markdown).toContain('a\\|b &lt;img src=x&gt;')
  })
})
