import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { closeDatabase, database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/index.ts'
import { anyPlanSchema, countSlots, digestPlan } from '#lib/domain/record/index.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { GET } from '../../../app/api/v1/rows/[rowId]/top-up/route.ts'
import { getTopUp } from './get-top-up.ts'
import { readFields } from './plan-request.ts'
import { getPlanner } from './planner.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-planner-'))
const now = '2026-11-21T00:00:00.000Z'
let board: Board

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await plantDemo(dir)
  const db = database()
  const suite = await findSuite(db, 'demo')
  board = (await findBoard(db, suite!.digest))!.board
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

const rowNamed = (name: string) => board.rows.find(({ subject }) => subject.name === name)!.rowId
const ask = (query: Record<string, string>) =>
  getPlanner(readFields({ suite: 'demo', ...query }), now)
const download = async (rowId: string, query = '') => {
  const request = new Request(`http://localhost/api/v1/rows/${rowId}/top-up${query}`)
  return GET(request, { params: Promise.resolve({ rowId }) })
}

describe('getPlanner', () => {
  it('takes the board’s first subject as an example, and rests on its past episodes', async () => {
    const { estimate, fields, problems } = await ask({})
    expect(problems).toEqual([])
    expect(fields.subject).toBe('demo-agent-a 1.4.2 · model-l')
    expect(estimate?.explanation.cost.expected).toBeGreaterThan(0)
    expect(estimate?.explanation.cost.basis).toMatch(
      /^Based on \d+ episodes of demo-agent-a · model-l/,
    )
    expect(estimate?.explanation.assumptions.spread).toContain('demo-agent-a')
    expect(estimate?.command.lines[0]).toMatch(/^npx proofboard plan --suite demo .* --explain$/)
    expect(estimate?.launchQuery).toMatch(
      /^suite=demo&subject=demo-agent-a&(provider=[^&]*&)?model=model-l&repetitions=3$/,
    )
  })

  it('takes another subject, or another model of a listed one, and says what is unknown', async () => {
    const other = await ask({ agent: 'mine', version: '1.0.0', model: 'model-nobody-knows' })
    expect(other.estimate?.explanation.cost).toMatchObject({ expected: null, low: null })
    // The duration is unknown, so it is estimated from the size of the tasks.
    expect(other.estimate?.explanation.time.expected).toBeGreaterThan(0)
    expect(other.estimate?.explanation.time.basis).toMatch(/guess/i)
    const model = await ask({ subject: 'demo-agent-a 1.4.2 · model-l', model: 'model-s' })
    expect(model.estimate?.subjectLabel).toBe('demo-agent-a 1.4.2 · model-s')
    expect(model.estimate?.explanation.cost.basis).toContain('model-s, driven by demo-agent-c')
  })

  it('compares with a row, and names both where they teach the variances', async () => {
    const { estimate } = await ask({ versus: rowNamed('demo-agent-c') })
    expect(estimate?.explanation.assumptions.difference).toMatch(
      /demo-agent-a .* and demo-agent-c /,
    )
    expect(estimate?.versusLabel).toContain('demo-agent-c')
  })

  it.each([
    [{ suite: 'dmeo' }, 'suite', 'Unknown suite "dmeo": did you mean demo?'],
    [{ category: 'nothing' }, 'category', 'Unknown category "nothing"'],
    [{ subject: 'nobody' }, 'subject', 'No entry of this subject'],
    [{ agent: '<b>' }, 'agent', 'A name starts with a letter or digit'],
    [{ versus: 'row_nowhere' }, 'versus', 'This entry is not'],
    [{ repetitions: '0' }, 'repetitions', 'Repetitions must be a whole number'],
  ])('%j is a sentence, not an answer', async (query, field, words) => {
    const { estimate, problems } = await ask(query as Record<string, string>)
    expect(estimate).toBeNull()
    expect(problems).toMatchObject([{ field, message: expect.stringContaining(words) }])
  })
})

describe('a row’s top-up', () => {
  it('is the same plan on the page and as a file, whenever it is asked for', async () => {
    const rowId = rowNamed('demo-agent-e')
    const view = await getTopUp(rowId, { kind: 'aggregate' }, now)
    const response = await download(rowId)
    const plan = anyPlanSchema.parse(await response.json())
    expect(response.status).toBe(200)
    expect(digestPlan(plan)).toBe(plan.planDigest)
    expect(view?.result).toMatchObject({ planDigest: plan.planDigest, episodes: countSlots(plan) })
    expect(view?.refusals.map(({ code }) => code)).toEqual(['samples', 'complete'])
    expect(plan.topUpOf?.rowId).toBe(rowId)
    expect(String(plan.frozenAt) > now).toBe(true)
    const each = anyPlanSchema.parse(await (await download(rowId, '?goal=per-task')).json())
    expect(countSlots(each)).toBeGreaterThan(countSlots(plan))
  })

  it('is refused by name where it cannot help', async () => {
    const reasons = async (name: string) => {
      const view = await getTopUp(rowNamed(name), { kind: 'aggregate' }, now)
      return view?.result.ok === false ? view.result.refusal.code : null
    }
    expect(await reasons('demo-control')).toBe('not-about-samples')
    expect(await reasons('demo-agent-b')).toBe('nothing-missing')
    const stress = board.rows.find(({ label }) => label === 'stress')!.rowId
    expect((await download(stress)).status).toBe(409)
    expect((await download('row_nowhere')).status).toBe(404)
    expect((await download(rowNamed('demo-agent-e'), '?goal=all')).status).toBe(400)
    expect(await getTopUp('row_nowhere', { kind: 'aggregate' }, now)).toBeNull()
  })
})
