import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { isShared } from '#lib/db/dialect.ts'
import { settleEnv } from '#lib/env.ts'
import { makeRealRun, type RealRun } from '#lib/testing/corpora/real-run.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { withSubmissionMutex } from './receive-submission.ts'
import { receiveForm } from './receive-upload.ts'
import { sweepUploads } from './upload-files.ts'
import { commitUpload, discardUpload, getUpload, listUploads, refreshUpload } from './uploads.ts'

let run: RealRun
let temporary: TemporaryDatabase
beforeAll(async () => {
  run = await makeRealRun()
})
afterAll(() => rmSync(run.dataDir, { recursive: true, force: true }))
beforeEach(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
  await migrateDatabase()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await closeDatabase()
  await temporary.close()
})

const by = () => ({ actor: CONSOLE, requestId: null, now: new Date() })
const files = () => readdirSync(join(temporary.dir, 'uploads'))

async function send(...parts: (readonly [string, string])[]): Promise<string[]> {
  const form = new FormData()
  for (const [name, text] of parts) form.append('files', new Blob([text]), name)
  const request = new Request('http://localhost/api/admin/uploads', { method: 'POST', body: form })
  return receiveForm(request, by())
}

it('several files of one form: each is validated, the bad ones are reported and not stored', async () => {
  const ids = await send(
    ['a.json', run.bundle],
    ['\u202egnp.<b>', 'no json'],
    ['large.json', `"${'x'.repeat(3 << 20)}"`],
    ['b.json', run.bundle],
  )
  expect(ids.length).toBe(4)
  expect((await getUpload(ids[0]!))?.preview.counts.new).toBe(2)
  expect((await getUpload(ids[1]!))?.preview.problem).toContain('not valid JSON')
  expect((await getUpload(ids[1]!))?.fileName).toContain('gnp.<b>')
  expect((await getUpload(ids[3]!))?.preview.counts.new).toBe(2)
  expect(files().sort()).toEqual([ids[0], ids[3]].sort())
  expect(await database().episode.count()).toBe(0)
})

it('is committed once by what was shown, and never after it was discarded', async () => {
  const [first = '', second = '', third = ''] = await send(
    ['a.json', run.bundle],
    ['b.json', run.bundle],
    ['c.json', run.bundle],
  )
  const expected = (await getUpload(first))?.preview.digest ?? ''
  await discardUpload({ id: third, ...by() })
  await expect(commitUpload({ id: third, expected, ...by() })).rejects.toThrow('already deleted')
  await expect(discardUpload({ id: third, ...by() })).rejects.toThrow(
    'already committed or discarded',
  )
  const stale = await commitUpload({ id: first, expected: 'sha256:other', ...by() })
  expect(stale.status).toBe('changed')
  expect(await database().episode.count()).toBe(0)
  expect((await commitUpload({ id: first, expected, ...by() })).status).toBe('committed')
  expect((await commitUpload({ id: first, expected, ...by() })).status).toBe('duplicate')
  expect((await commitUpload({ id: second, expected, ...by() })).status).toBe('duplicate')
  expect(await database().episode.count()).toBe(2)
  expect((await getUpload(first))?.state).toBe('committed')
  const lines = await database().auditEntry.findMany({ where: { action: 'upload.commit' } })
  expect(lines.length).toBe(1)
})

it('what is said in the form before a file goes with it, to the preview and to the commit', async () => {
  const form = new FormData()
  const data = { subject: 'codex', suite: 'katas', tasks: 'cases', other: 'x', model: ' ' }
  for (const [name, value] of Object.entries(data)) form.append(name, value)
  const xml =
    '<testsuite timestamp="2026-01-01T00:00:00Z"><testcase name="a" time="1"/></testsuite>'
  form.append('files', new Blob([xml]), 'junit.xml')
  const url = 'http://localhost/api/admin/uploads'
  const [id = ''] = await receiveForm(new Request(url, { method: 'POST', body: form }), by())
  const preview = (await getUpload(id))?.preview
  expect(preview).toMatchObject({ format: 'a JUnit report', problem: null, counts: { new: 1 } })
  const expected = preview?.digest ?? ''
  expect((await commitUpload({ id, expected, ...by() })).status).toBe('committed')
  expect(await database().subject.findMany()).toMatchObject([{ name: 'codex', version: null }])
})

it('files are validated and committed only while there is room, as results of programs are', async () => {
  const [id = ''] = await send(['a.json', run.bundle])
  const expected = (await getUpload(id))?.preview.digest ?? ''
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holders = [withSubmissionMutex(() => released), withSubmissionMutex(() => released)]
  const waiting = [
    send(['b.json', run.bundle], ['c.json', run.bundle]),
    refreshUpload(id, CONSOLE, new Date()),
    commitUpload({ id, expected, ...by() }),
  ]
  const first = await Promise.race([...waiting, pause(700, 'all wait')])
  release()
  await Promise.all([...holders, ...waiting])
  expect(first).toBe('all wait')
  expect((await getUpload(id))?.state).toBe('committed')
})

it('waits for a day and is then let go', async () => {
  const [id = ''] = await send(['a.json', run.bundle])
  await sweepUploads(database(), new Date())
  expect(files()).toEqual([id])
  await sweepUploads(database(), new Date(Date.now() + 25 * 60 * 60_000))
  expect(files()).toEqual([])
  expect((await listUploads())[0]?.state).toBe('discarded')
})

it('what is not a form with a file is refused with a sentence', async () => {
  const url = 'http://localhost/api/admin/uploads'
  const json = new Request(url, { method: 'POST', body: '{}' })
  await expect(receiveForm(json, by())).rejects.toMatchObject({ code: 'unsupported-type' })
  await expect(send()).rejects.toThrow('No file was selected')
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const body = '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n{"cut'
  const cut = new Request(url, { method: 'POST', headers, body })
  await expect(receiveForm(cut, by())).rejects.toThrow('incomplete')
})

it('is confirmed on another host of the same database; where there is one host, a lost file is asked for again', async () => {
  const [id = '', left = ''] = await send(['a.json', run.bundle], ['b.json', run.bundle])
  const expected = (await getUpload(id))?.preview.digest ?? ''
  if (!isShared(database())) {
    rmSync(join(temporary.dir, 'uploads'), { recursive: true })
    await expect(commitUpload({ id, expected, ...by() })).rejects.toThrow('upload it again')
    return expect(await database().uploadPart.count()).toBe(0)
  }
  const elsewhere = join(temporary.dir, 'other-host')
  vi.stubEnv('PROOFBOARD_DATA_DIR', elsewhere)
  settleEnv(process.cwd())
  const confirmed = await commitUpload({ id, expected, ...by() })
  expect(['committed', 'duplicate']).toContain(confirmed.status)
  await sweepUploads(database(), new Date())
  const kept = await database().uploadPart.findMany({ select: { uploadId: true } })
  const waiting = new Set(kept.map(({ uploadId }) => uploadId))
  expect([waiting.has(id), waiting.has(left)]).toEqual([confirmed.status !== 'committed', true])
  expect(readdirSync(join(elsewhere, 'uploads'))).toEqual(
    confirmed.status === 'committed' ? [] : [id],
  )
})
