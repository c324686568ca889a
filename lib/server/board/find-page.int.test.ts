import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAllBoards } from '#lib/db/board-store.ts'
import { closeDatabase, database } from '#lib/db/database.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { findPage } from './find-page.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-find-page-'))
let rowId = ''
let runId = ''

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await plantDemo(dir)
  const boards = await listAllBoards(database())
  const row = boards.find(({ board }) => board.suite.suiteId === 'demo')?.board.rows[0]
  rowId = row?.rowId ?? ''
  runId = row?.runIds[0] ?? ''
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

const find = (address: string) => findPage(new URL(address, 'http://board.example'))

it('finds pages of what is stored', async () => {
  const addresses = [
    ...[
      '/',
      '/?suite=demo',
      '/?version=none&suite=none',
      '/runs',
      '/runs?suite=demo',
      '/nowhere/at/all',
    ],
    ...['/agents/demo-agent-a', '/suites/demo', '/reports/task-completion', `/runs/${runId}`],
    ...[
      '/history',
      '/history?suite=demo&subject=demo-agent-a&model=model-l',
      '/admin/uploads/none',
    ],
  ]
  for (const address of addresses)
    expect([address, await find(address)]).toEqual([address, { kind: 'page' }])
})

it('tells what is not stored', async () => {
  const addresses = [
    ...['/?suite=none', '/?suite=', '/runs?suite=none', '/reports?suite=none', '/reports/none'],
    ...['/agents/none', '/agents/%25', '/models/none', '/suites/none', '/suites/demo/tasks/none'],
    ...['/runs/none', '/episodes/none', '/rows/none', '/methodology/none'],
    '/history?suite=demo&subject=none',
  ]
  for (const address of addresses)
    expect([address, await find(address)]).toEqual([address, { kind: 'missing' }])
})

it('leads to the current address of a row, and of rows that a form sent one by one', async () => {
  expect(await find(`/rows/${rowId}`)).toMatchObject({
    kind: 'moved',
    to: expect.stringContaining(encodeURIComponent(rowId)),
  })
  expect(await find('/compare?rows=a&rows=b')).toEqual({ kind: 'moved', to: '/compare?rows=a,b' })
  expect(await find('/compare?rows=a,b')).toEqual({ kind: 'page' })
  expect(await find(`/?suite=demo&open=${rowId}`)).toEqual({ kind: 'page' })
})
