import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parser } from 'sax'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveBoard } from '#lib/db/board-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { appendLedger } from '#lib/db/ledger-store.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { jsonFeedSchema } from '#lib/domain/formats/index.ts'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import {
  SAMPLE_RUN_ID,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { GET as getJson } from './feed.json/route.ts'
import { GET as getAtom } from './feed.xml/route.ts'

const HOSTILE = '<script>"&\u202e]]>'
const dir = mkdtempSync(join(tmpdir(), 'proofboard-feed-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const none = { params: Promise.resolve({}) }
const requestOf = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { headers })

async function read(path: string) {
  const response = await getJson(requestOf(path), none)
  expect(response.status).toBe(200)
  return jsonFeedSchema.parse(await response.json())
}

/** A ranked entry of this day, with a hostile model name. */
function rankedRow(day: string, solved: number) {
  const tasks = sampleTasks(Array(12).fill(solved))
  const row = sampleRow('agent-a', numberedVersion(12), tasks)
  return {
    ...row,
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    subject: { ...row.subject, modelRequested: HOSTILE },
    rowId: `row_${day.padStart(24, '0')}`,
    firstStartedAt: `2025-01-${day}T01:00:00.000Z`,
    lastStartedAt: `2025-01-${day}T02:00:00.000Z`,
  }
}

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  const db = database()
  const now = new Date()
  await saveSuite(db, suite, now)
  await saveSampleRun(db, plan)
  const taskDigest = plan.tasks[0]?.digest ?? ''
  const receipt = { provenance: 'local', directory: null, receivedAt: now } as const
  await saveEpisode(db, JSON.stringify(sampleEpisode({ taskDigest }, plan)), receipt)
  const board = await refreshBoard(db, suite, now)
  const rows = [...board.rows, rankedRow('01', 3), rankedRow('09', 0)]
  await saveBoard(db, { ...board, rows }, { ledgerSequence: 2, now })
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('lists ledger entries and significant changes, newest first, and can be narrowed', async () => {
  const { items } = await read('/feed.json')
  expect(items.map(({ tags }) => tags[0])).toEqual(['ledger', 'ledger', 'change'])
  expect(items.at(-1)?.content_text).toMatch(/100\.0 percentage points lower \(95 % confidence/)
  const kindsOf = async (query: string) =>
    (await read(`/feed.json?${query}`)).items.map(({ tags: [kind, detail] }) => `${kind} ${detail}`)
  expect(await kindsOf('kind=changes')).toEqual([`change ${suite.suiteId}`])
  expect(await kindsOf('kind=ledger')).toEqual(['ledger include', 'ledger task-version'])
  expect(await kindsOf(`kind=ledger&agent=${plan.subject.name}`)).toEqual(['ledger include'])
  expect(await kindsOf(`suite=${suite.suiteId}`)).toHaveLength(3)
  expect(await kindsOf('agent=agent-a')).toEqual([`change ${suite.suiteId}`])
})

it('goes on page by page without a gap, and refuses what is not there', async () => {
  const walked: string[] = []
  for (let path: string | undefined = '/feed.json?limit=1'; path !== undefined; ) {
    const { items, next_url: next } = await read(path)
    expect(items).toHaveLength(1)
    walked.push(...items.map(({ id }) => id))
    path = next?.replace(/^https?:\/\/[^/]+/, '')
  }
  expect(walked).toEqual((await read('/feed.json')).items.map(({ id }) => id))
  const statusOf = async (query: string) =>
    (await getAtom(requestOf(`/feed.xml?${query}`), none)).status
  expect(await statusOf('suite=nowhere')).toBe(404)
  expect(await statusOf('agent=nowhere')).toBe(404)
  expect(await statusOf('cursor=made-up')).toBe(400)
})

it('is well-formed Atom with hostile names as text', async () => {
  const response = await getAtom(requestOf('/feed.xml', { accept: 'application/atom+xml' }), none)
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const body = await response.text()
  const texts: string[] = []
  const reader = parser(true, {})
  reader.onerror = (error) => {
    throw error
  }
  reader.ontext = (text) => texts.push(text)
  reader.write(body).close()
  expect(body).not.toContain('<script')
  expect(
    texts.find((text) => text.startsWith('agent-a · <script>"&]]> solves fewer')),
  ).toBeDefined()
})

it('answers who has it already, until something public changes', async () => {
  const first = await getAtom(requestOf('/feed.xml'), none)
  const known = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await getAtom(requestOf('/feed.xml', known), none)
  expect([again.status, await again.text()]).toEqual([304, ''])
  const other = await getAtom(requestOf('/feed.xml?kind=ledger', known), none)
  expect(other.status, 'another feed').toBe(200)
  const draft = {
    author: HOSTILE,
    reason: HOSTILE,
    action: { kind: 'invalidate', target: SAMPLE_RUN_ID },
  } as const
  await inTransaction(database(), (tx) => appendLedger(tx, draft, new Date()))
  const later = await getAtom(requestOf('/feed.xml', known), none)
  expect(later.status).toBe(200)
  expect(await later.text()).toContain(`<title>Invalidated: ${SAMPLE_RUN_ID}</title>`)
})
