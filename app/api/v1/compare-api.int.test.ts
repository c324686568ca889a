import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, database } from '#lib/db/database.ts'
import { appendLedger } from '#lib/db/ledger-store.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { ComparedRow, ComparisonView } from '#lib/domain/compare/index.ts'
import { listComparableRows, listFlipEpisodes } from '#lib/server/board/compare.ts'
import { getNamedRows } from '#lib/server/board/named-rows.ts'
import { demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { GET } from './compare/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-compare-'))
const none = { params: Promise.resolve({}) }
const ask = (rows: string) => GET(new Request(`http://localhost/api/v1/compare?rows=${rows}`), none)
const rowIds = new Map<string, string>()
const idsOf = (...names: string[]) => names.map((name) => rowIds.get(name)).join(',')

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await plantDemo(dir)
  for (const { isCurrent, rows } of await listComparableRows()) {
    for (const { rowId, subject, label } of rows) {
      rowIds.set(
        `${subject.name}${isCurrent ? '' : ' old'}${label === 'stress' ? ' stress' : ''}`,
        rowId,
      )
    }
  }
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

describe('GET /api/v1/compare', () => {
  it('compares two claims, and the same numbers the other way round', async () => {
    const one: ComparisonView = await (await ask(idsOf('demo-library-x', 'demo-agent-c'))).json()
    const other: ComparisonView = await (await ask(idsOf('demo-agent-c', 'demo-library-x'))).json()
    expect(one.suite).toMatchObject({ suiteId: 'demo', version: '2.0.0', tasks: 20 })
    const [pair, mirrored] = [one.pairs[0]?.result, other.pairs[0]?.result]
    if (!pair?.ok || !mirrored?.ok) throw new Error('both were to be compared')
    expect([pair.verdict.kind, mirrored.verdict.kind]).toEqual(['better', 'worse'])
    expect([mirrored.low, mirrored.high]).toEqual([-pair.high, -pair.low])
    expect(one.standing.kind).toBe('diagnostic')
  })

  it('answers files of what it says', async () => {
    const rows = idsOf('demo-agent-a', 'demo-agent-b')
    const first = async (format: string) => {
      const response = await ask(`${rows}&format=${format}`)
      const named = response.headers.get('content-disposition')
      return [named, (await response.text()).split(/\r?\n/)[0]?.slice(0, 30)]
    }
    expect(await first('pairs')).toEqual([
      'attachment; filename="demo-comparison-pairs.csv"',
      'a,b,verdict,difference,low,hig',
    ])
    expect((await first('tasks'))[1]).toBe('task,demo-agent-a,demo-agent-b')
    expect((await first('markdown'))[0]).toBe('attachment; filename="demo-comparison.md"')
    expect((await ask(`${rows}&format=excel`)).status).toBe(400)
  })

  it('answers the same bytes to who asks again', async () => {
    const rows = idsOf('demo-agent-a', 'demo-agent-b', 'demo-agent-c')
    const [first, again] = [await ask(rows), await ask(rows)]
    expect(first.headers.get('etag')).toBe(again.headers.get('etag'))
    expect((await first.json()).multiplicity).toMatchObject({ pairs: 3, tested: 3 })
  })

  it.each([
    ['no rows', () => '', 400, 'invalid-request', /at least two entries/],
    [
      'a made-up row',
      () => `${idsOf('demo-agent-a')},row_nowhere`,
      404,
      'not-found',
      /row_nowhere/,
    ],
    [
      'rows of two versions',
      () => idsOf('demo-agent-a', 'demo-agent-a old'),
      409,
      'conflict',
      /These tasks differ: demo-19 and demo-20\./,
    ],
    ['an endless question', () => 'x'.repeat(5000), 400, 'invalid-request', /rows/],
  ])('refuses %s', async (_, rows, status, code, message) => {
    const response = await ask(rows())
    expect(response.status).toBe(status)
    expect((await response.json()).error).toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })
})

describe('the rows one may choose from', () => {
  it('stand by suite version, the current one first', async () => {
    const groups = await listComparableRows()
    expect(groups.map(({ suiteId, version, isCurrent }) => [suiteId, version, isCurrent])).toEqual([
      ['demo', '2.0.0', true],
      ['demo', '1.0.0', false],
    ])
    expect(groups[1]?.rows).toHaveLength(1)
  })
})

describe('the episodes of flipped tasks', () => {
  const expectFit = async () => {
    const view: ComparisonView = await (await ask(idsOf('demo-agent-a', 'demo-agent-c'))).json()
    const [pair] = view.pairs
    if (!pair || pair.flipped.length === 0) throw new Error('some task was to flip')
    const episodes = await listFlipEpisodes(pair, view.rows as [ComparedRow, ComparedRow])
    for (const { taskId, a, b } of pair.flipped) {
      for (const [cell, list] of [
        [a, episodes.a[taskId] ?? []],
        [b, episodes.b[taskId] ?? []],
      ] as const) {
        const scored = list.filter(({ status }) => status !== 'void')
        expect(scored).toHaveLength(cell.scored)
        expect(list.filter(({ status }) => status === 'solved')).toHaveLength(cell.solved)
      }
    }
    return { pair, episodes }
  }

  it('are those of either row, as many as were scored', async () => void (await expectFit()))

  it('are as the ledger corrected them, like the ends of attempts on the page of the agent', async () => {
    const { episodes } = await expectFit()
    const all = Object.values(episodes.a).flat()
    const solved = all.filter(({ status }) => status === 'solved')
    const actions = solved
      .slice(0, 2)
      .map(({ episodeId: target }) => ({ kind: 'invalidate' as const, target }))
    expect(actions).toHaveLength(2)
    const sumOf = async (status: string) =>
      ((await getNamedRows('agent', 'demo-agent-a'))?.outcomes ?? [])
        .filter((one) => one.status === status)
        .reduce((sum, { episodes: count }) => sum + count, 0)
    const before = { solved: await sumOf('solved'), void: await sumOf('void') }
    for (const action of actions)
      await inTransaction(database(), (tx) =>
        appendLedger(tx, { author: 'a', reason: 'a test', action }, new Date()),
      )
    await refreshBoard(database(), demoSuite(), new Date())
    const after = await expectFit()
    const voids = Object.values(after.episodes.a).flat()
    expect(voids.filter(({ status }) => status === 'void').length).toBeGreaterThan(0)
    expect(await sumOf('solved')).toBe(before.solved - 2)
    expect(await sumOf('void')).toBe(before.void + 2)
  })
})
