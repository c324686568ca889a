import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { evidenceLabelSchema } from '#lib/domain/eligibility/index.ts'
import { demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import type { Db } from '../../../db/db.ts'
import { openDb } from '../../../db/open-db.ts'
import { plantDemo } from './plant-demo.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-seed-demo-'))
let db: Db
beforeAll(async () => {
  await plantDemo(dir)
  db = openDb(process.env.DATABASE_URL ?? join(dir, 'proofboard.db'))
})
afterAll(async () => {
  await db.$disconnect()
  rmSync(dir, { recursive: true, force: true })
})

it('makes a board with a row of every label that its own runs can have, each refused one with its reasons', async () => {
  const record = await findBoard(db, demoSuite().digest)
  const rows = record?.board.rows ?? []
  // Only results of another harness can be in escrow.
  const labels = evidenceLabelSchema.exclude(['escrow']).options
  expect(new Set(rows.map(({ label }) => label))).toEqual(new Set(labels))
  for (const { label, refusals, rank } of rows) {
    const isClaim = label === 'primary' || label === 'stress'
    expect([refusals.length === 0, rank !== null]).toEqual([isClaim, isClaim])
  }
  expect((await findBoard(db, demoSuite(1).digest))?.board.rows).toHaveLength(1)
})

it('has rows with held-out transcripts on some tasks and on none, and both ways to fail', async () => {
  const boards = await Promise.all(
    [demoSuite(), demoSuite(1)].map(({ digest }) => findBoard(db, digest)),
  )
  const [current = [], earlier = []] = boards.map((record) => record?.board.rows ?? [])
  expect(earlier.map(({ grading }) => grading?.heldOutPassed)).toEqual([null])
  expect(current.some(({ grading }) => grading?.tasks === 20)).toBe(true)
  for (const { success, grading } of current) {
    expect(grading?.scored).toBe(success.attempts)
    const { tasks = 0, heldOutTasks = 0 } = grading ?? {}
    expect([tasks, tasks - 1, tasks - 2]).toContain(heldOutTasks)
    expect(heldOutTasks).toBeGreaterThan(0)
    if (tasks === 20) expect(heldOutTasks).toBe(18)
    expect(grading?.verifiers.map(({ sandbox }) => sandbox)).toEqual(['bubblewrap'])
  }
  const solved = ({ tasks }: (typeof current)[number]) =>
    tasks.reduce((sum, task) => sum + task.solved, 0)
  expect(current.some((row) => (row.grading?.visiblePassed ?? 0) > solved(row))).toBe(true)
})
