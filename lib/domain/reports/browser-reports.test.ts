import { describe, expect, it } from 'vitest'
import { demoRun } from '#lib/testing/factories/demo/demo-run.ts'
import { DEMO_BROWSER_ROWS, demoBrowserSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { type Board, buildBoard } from '../board/index.ts'
import { episodeFact } from '../record/index.ts'
import { AXES, type AxisSlug } from './axis-report.ts'
import {
  axisTable,
  buildAxisReport,
  buildAxisReports,
  reportSections,
} from './build-axis-report.ts'
import { type LibraryFacts, libraryFactsSchema } from './library-facts.ts'
import { countMeasured } from './library-table.ts'

const suite = demoBrowserSuite()
const runs = DEMO_BROWSER_ROWS.map((row, place) => demoRun(row, place, suite))
const board: Board = buildBoard({
  suite,
  facts: runs.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'local'))),
  runs,
})
const FACTS: LibraryFacts = libraryFactsSchema.parse({
  schemaVersion: 1,
  libraries: [
    {
      name: 'demo-browser-a',
      version: '1.4.2',
      adapterLines: 120,
      driverLinesPerTask: { 'demo-flow-01': 40, 'demo-flow-02': 60 },
      tools: { count: 4, described: 4, typed: 3, schemaTokens: 900 },
      errors: [
        { induced: 'a missing button', message: 'no button named Pay', actionable: true },
        { induced: 'a lost page', message: null, actionable: false },
      ],
      authSetup: { lines: 6, ms: 900 },
      measuredAt: '2026-11-21T00:00:00.000Z',
      harness: { version: '0.1.0', commit: null, dirty: null },
    },
  ],
})

function report(slug: AxisSlug, of = board, facts: LibraryFacts | null = FACTS) {
  const axis = AXES.find((one) => one.slug === slug)
  if (!axis) throw new Error(slug)
  return buildAxisReport(axis, of, facts)
}

describe('reports of a browser suite', () => {
  it('keep rows apart whose figures mean another thing', () => {
    const titles = (slug: AxisSlug) => reportSections(report(slug)).map(({ title }) => title)
    expect(titles('task-completion')).toEqual(['Ranked', 'Ranked, scripted'])
    expect(titles('token-efficiency').sort()).toEqual([
      'Ranked · ref',
      'Ranked, scripted · css',
      'Ranked, scripted · ref',
      'Ranked, scripted · role',
    ])
    expect(titles('speed').sort()).toEqual([
      'Ranked · reused browser',
      'Ranked, scripted · cold browser',
      'Ranked, scripted · reused browser',
    ])
    for (const axis of AXES) {
      const made = report(axis.slug)
      const ids = reportSections(made).map(({ id }) => id)
      const rows = reportSections(made).flatMap((section) => section.rows)
      expect(new Set(ids).size).toBe(ids.length)
      expect(rows).toHaveLength(made.claims.length + made.others.length)
    }
  })

  it('mark everything that only a browser episode has as diagnostic', () => {
    const plain: Board = { ...board, rows: board.rows.map(({ browser: _, ...row }) => row) }
    for (const made of buildAxisReports(board, FACTS)) {
      const bare = report(made.axis.slug, plain)
      const known = new Set(bare.columns.map(({ id }) => id))
      const added = made.columns.filter(({ id }) => !known.has(id))
      expect([...added, ...(made.libraries?.columns ?? [])].map(({ role }) => role)).toEqual(
        [...added, ...(made.libraries?.columns ?? [])].map(() => 'diagnostic'),
      )
    }
    expect(report('speed').columns.map(({ id }) => id)).toContain('connect-p50')
    expect(report('speed', plain).columns.map(({ id }) => id)).not.toContain('connect-p50')
  })

  it('count contradictions between library and contract on both reports that show them', () => {
    for (const slug of ['task-completion', 'fault-recovery'] as const) {
      for (const { rowId, values } of report(slug).claims) {
        const row = board.rows.find((one) => one.rowId === rowId)
        expect(values['false-success']?.value).toBe(row?.browser?.falseSuccess)
        expect(values['success-with-error']?.value).toBe(row?.browser?.successWithError)
      }
    }
  })
})

describe('the fault matrix', () => {
  const groups = report('fault-recovery').faults ?? []

  it('has every stress row once, under its fault, in the order of the kinds', () => {
    expect(groups.map(({ fault }) => fault)).toEqual(['overlay', 'lost-response', 'renderer-crash'])
    const stressed = board.rows.filter(({ recovery }) => recovery !== null)
    expect(groups.flatMap(({ rows }) => rows)).toHaveLength(stressed.length)
    expect(groups[0]).toMatchObject({ by: 'the app server' })
  })

  it('shows each cell with its baseline, and adds up to the row', () => {
    for (const { rowId, cells, rungs } of groups.flatMap((group) => group.rows)) {
      const row = board.rows.find((one) => one.rowId === rowId)
      const all = Object.values(cells)
      expect(all.reduce((sum, { fired }) => sum + fired, 0)).toBe(row?.recovery?.fired)
      expect(all.every(({ baseline }) => baseline?.scored === 3)).toBe(true)
      const climbed = all.flatMap((cell) => Object.values(cell.rungs ?? {}))
      const summed = Object.values(rungs ?? {}).reduce((sum, count) => sum + count, 0)
      expect(climbed.reduce((sum, count) => sum + count, 0)).toBe(summed)
    }
    const baselines = report('fault-recovery').claims.map(({ values }) => values.baseline?.value)
    expect(baselines.every((value) => typeof value === 'number')).toBe(true)
  })

  it('is absent where no row was measured under a named fault', () => {
    const plain = { ...board, rows: board.rows.filter(({ recovery }) => recovery === null) }
    expect('faults' in report('fault-recovery', plain)).toBe(false)
    expect('faults' in report('speed')).toBe(false)
  })
})

describe('what is measured of libraries themselves', () => {
  it('has a dash for what was not measured, and every library of the board', () => {
    const { libraries } = report('developer-experience')
    expect(libraries?.rows.map(({ name }) => name).sort()).toEqual([
      'demo-browser-a',
      'demo-browser-b',
      'demo-browser-c',
    ])
    const [first, second] = libraries?.rows ?? []
    expect(first?.values).toMatchObject({
      'adapter-lines': { value: 120 },
      'driver-lines': { value: 50, tasks: 2 },
      'tools-typed': { value: 0.75 },
      'errors-actionable': { value: 0.5 },
    })
    expect(second?.measuredAt).toBeNull()
    expect(Object.values(second?.values ?? {}).map(({ value }) => value)).toEqual(
      Array(6).fill(null),
    )
    expect(libraries && countMeasured(libraries)).toBe(1)
  })

  it('says so when nothing is measured, and asks nothing of a suite without libraries', () => {
    const bare = report('developer-experience', board, null)
    expect(bare.libraries && countMeasured(bare.libraries)).toBe(0)
    expect(bare.absent).toHaveLength(1)
    expect(report('developer-experience').absent).toEqual([])
    const agents = { ...board, rows: [] }
    expect(report('developer-experience', agents, null).libraries).toBeUndefined()
  })

  it('is handed out as a table where an axis has nothing else', () => {
    const [head, first] = axisTable(report('developer-experience'))
    expect(head?.slice(0, 4)).toEqual([
      'library',
      'version',
      'measured_at',
      'adapter_lines (diagnostic)',
    ])
    expect(first?.slice(0, 4)).toEqual(['demo-browser-a', '1.4.2', '2026-11-21T00:00:00.000Z', 120])
  })

  it('takes no file that says impossible things', () => {
    const [fact] = FACTS.libraries
    const wrong = [
      { schemaVersion: 1, libraries: [fact, fact] },
      { schemaVersion: 1, libraries: [{ ...fact, tools: { ...fact?.tools, described: 5 } }] },
      { schemaVersion: 1, libraries: [{ ...fact, adapterLines: -1 }] },
      { schemaVersion: 2, libraries: [] },
    ]
    expect(wrong.map((input) => libraryFactsSchema.safeParse(input).success)).toEqual(
      wrong.map(() => false),
    )
  })
})
