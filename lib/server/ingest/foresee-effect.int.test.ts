import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { effectBase, type UploadEffect } from '#lib/domain/api/index.ts'
import { compareBoards, describeRowEffect } from '#lib/domain/board/index.ts'
import { BUNDLE_KIND } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { refreshBoard } from '../../db/refresh-board.ts'
import { receiveForm } from './receive-upload.ts'
import { commitUpload, getUpload, isOutdated, refreshUpload } from './uploads.ts'

const suite = sampleSuite()
let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await closeDatabase()
  await temporary.close()
})

const by = () => ({ actor: CONSOLE, requestId: null, now: new Date() })

/** Creates a bundle of the current suite with its first episodes. */
function bundle(name: string, episodes: number): string {
  const tasks = suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category }))
  const subject = { ...samplePlan().subject, kind: 'agent' as const, name }
  const plan = samplePlan({ suiteDigest: suite.digest, tasks, subject })
  const runId = `run_${name.replaceAll('-', '')}`
  const slots = tasks.flatMap(({ taskId, digest: taskDigest }) =>
    [1, 2].map((repetition) => ({ taskId, taskDigest, repetition })),
  )
  const sealed = slots
    .slice(0, episodes)
    .map((slot) => sampleEpisode({ runId, ...slot, mode: 'live' }, plan))
  const lock = sampleEpisode().environment
  const shard = { index: 1, count: 1 }
  return JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    shard,
    lock,
    episodes: sealed,
  })
}

async function upload(text: string): Promise<string> {
  const form = new FormData()
  form.append('files', new Blob([text]), 'result.json')
  const url = 'http://localhost/api/admin/uploads'
  const [id = ''] = await receiveForm(new Request(url, { method: 'POST', body: form }), by())
  return id
}

async function shown(id: string) {
  const view = await getUpload(id)
  if (!view) throw new Error('no such upload')
  const { effect, preview } = view
  return { view, effect, expected: preview.digest, base: effect ? effectBase(effect) : undefined }
}

/** Commits what the page showed, and compares it with the board that follows. */
async function commitAndCompare(id: string): Promise<UploadEffect> {
  const { effect, ...told } = await shown(id)
  const before = (await findBoard(database(), suite.digest))?.board ?? null
  const done = await commitUpload({ id, ...told, ...by() })
  expect(done.status).toBe('committed')
  const after = await refreshBoard(database(), suite, new Date())
  expect(effect?.boards[0]).toMatchObject(compareBoards(before, after))
  return effect as UploadEffect
}

it('shows exactly what the board becomes: a new entry, then more episodes of it, beside another', async () => {
  const first = await commitAndCompare(await upload(bundle('agent-one', 2)))
  expect(first.boards[0]?.rows.map(describeRowEffect)).toEqual([['new entry', 'not ranked']])
  expect(first.boards[0]?.rows[0]?.lost.length).toBeGreaterThan(0)
  const other = await commitAndCompare(await upload(bundle('agent-two', 4)))
  expect(other.boards[0]).toMatchObject({ added: 4, unchanged: 1, rows: [{ before: null }] })
  const more = await commitAndCompare(await upload(bundle('agent-one', 4)))
  expect(more.boards[0]?.rows[0]).toMatchObject({ before: { episodes: 2 }, after: { episodes: 4 } })
  expect(more.boards[0]?.rows.map(describeRowEffect)).toEqual([
    ['2 more episodes', 'still not ranked'],
  ])
})

it('writes nothing that stays, and foresees nothing for an upload that is refused or known', async () => {
  const { db } = temporary
  const count = () =>
    Promise.all([db.episode.count(), db.run.count(), db.ledgerEntry.count(), db.subject.count()])
  const before = await count()
  const id = await upload(bundle('agent-one', 2))
  expect(await count()).toEqual(before)
  expect(await db.auditEntry.findMany({ select: { action: true } })).toEqual([
    { action: 'upload.receive' },
  ])
  await commitAndCompare(id)
  expect((await shown(await upload(bundle('agent-one', 2)))).effect).toBeNull()
  const wrong = bundle('agent-six', 2).replace('"attempt":1', '"attempt":2')
  expect((await shown(await upload(wrong))).effect).toBeNull()
})

it('a board that changed in between is said, and the commit waits for the new preview', async () => {
  const [one, two] = [await upload(bundle('agent-one', 4)), await upload(bundle('agent-two', 4))]
  const stale = await shown(two)
  await commitAndCompare(one)
  expect(await isOutdated(stale.view)).toBe(true)
  const { expected, base } = stale
  expect((await commitUpload({ id: two, expected, base, ...by() })).status).toBe('changed')
  expect(await database().episode.count()).toBe(4)
  await refreshUpload(two, CONSOLE, new Date())
  expect(await isOutdated((await shown(two)).view)).toBe(false)
  await commitAndCompare(two)
})
