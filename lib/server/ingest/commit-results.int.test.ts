import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { packZip } from '#lib/testing/corpora/pack-zip.ts'
import { makeRealRun, type RealRun, readFolder } from '#lib/testing/corpora/real-run.ts'
import { receiveBody, submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { unpackEnvelope } from '../../db/stored-episode.ts'
import { commitResults } from './commit-results.ts'
import { previewResults } from './preview-results.ts'

let run: RealRun
beforeAll(async () => {
  run = await makeRealRun()
})
afterAll(() => rmSync(run.dataDir, { recursive: true, force: true }))

const temporary = databaseForEach()

const zipOf = (files: ReadonlyMap<string, Buffer>) =>
  packZip([...files].map(([name, bytes]) => ({ name, bytes })))

async function countRows() {
  const { db } = temporary
  return {
    plans: await db.plan.count(),
    runs: await db.run.count(),
    episodes: await db.episode.count(),
    ledger: await db.ledgerEntry.count(),
    audit: await db.auditEntry.count(),
  }
}
const NOTHING = { plans: 0, runs: 0, episodes: 0, ledger: 0, audit: 0 }
const EVERYTHING = { plans: 1, runs: 1, episodes: 2, ledger: 2, audit: 1 }

describe('a result.json', () => {
  it('is previewed without a trace, then stored whole with its ledger entries', async () => {
    const order = await receiveBody(temporary.dir, run.bundle)
    const preview = await previewResults(temporary.db, order)
    expect(preview).toMatchObject({
      problem: null,
      counts: { new: 2, duplicate: 0, conflict: 0, rejected: 0 },
      runs: [{ runId: run.runId, state: 'new', suite: 'unknown', planned: 2 }],
    })
    expect(await countRows()).toEqual(NOTHING)
    const done = await commitResults(temporary.db, { ...order, expected: preview.digest })
    expect(done.status).toBe('committed')
    expect(await countRows()).toEqual(EVERYTHING)
    const kinds = await temporary.db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
    expect(kinds.map(({ kind, target }) => [kind, target])).toEqual([
      ['include', run.runId],
      ['seal-run', run.runId],
    ])
    const kept = await temporary.db.episode.findFirstOrThrow()
    expect(kept).toMatchObject({ provenance: 'manual', directory: null })
    expect(readdirSync(join(temporary.dir, 'received', '.staging'))).toEqual([])
  })

  it('is a duplicate the second time, gzipped or not', async () => {
    await submitBody(temporary, run.bundle)
    const again = await submitBody(temporary, gzipSync(run.bundle), {
      contentType: 'application/gzip',
    })
    expect(again).toMatchObject({ status: 'duplicate', preview: { counts: { duplicate: 2 } } })
    expect(await countRows()).toEqual(EVERYTHING)
  })

  it('is written once when two processes commit it at the same time', async () => {
    const other = openDb(temporary.place)
    const orders = await Promise.all([1, 2].map(() => receiveBody(temporary.dir, run.bundle)))
    const [first, second] = await Promise.all([
      commitResults(temporary.db, orders[0]!),
      commitResults(other, orders[1]!),
    ])
    await other.$disconnect()
    expect([first.status, second.status].sort()).toEqual(['committed', 'duplicate'])
    expect(await countRows()).toEqual(EVERYTHING)
  })

  it('is not written when it would write something else than was shown', async () => {
    const order = await receiveBody(temporary.dir, run.bundle)
    const { digest } = await previewResults(temporary.db, order)
    const parts = JSON.parse(run.bundle)
    const first = JSON.stringify({ ...parts, episodes: parts.episodes.slice(0, 1) })
    await submitBody(temporary, first)
    const done = await commitResults(temporary.db, { ...order, expected: digest })
    expect(done).toMatchObject({ status: 'changed', preview: { counts: { new: 1, duplicate: 1 } } })
    expect(await temporary.db.episode.count()).toBe(1)
    const seen = { ...order, expected: done.preview.digest }
    expect((await commitResults(temporary.db, seen)).status).toBe('committed')
    expect(await temporary.db.episode.count()).toBe(2)
  })

  it('adds nothing to a run of another voucher', async () => {
    const parts = JSON.parse(run.bundle)
    const first = JSON.stringify({ ...parts, episodes: parts.episodes.slice(0, 1) })
    await submitBody(temporary, first, { provenance: 'token' })
    const done = await submitBody(temporary, run.bundle)
    expect(done.status).toBe('refused')
    expect(done.preview.items[0]).toMatchObject({ kind: 'conflict' })
    expect(done.preview.items[0]?.message).toContain('stored with provenance token')
    expect(await temporary.db.episode.count()).toBe(1)
  })
})

describe('envelopes without a plan', () => {
  it('need their run here, and then are stored: one, a list, or one a line', async () => {
    const { episodes, ...rest } = JSON.parse(run.bundle)
    const alone = await submitBody(temporary, JSON.stringify(episodes[0]))
    expect(alone.status).toBe('refused')
    expect(alone.preview.items[0]?.message).toContain('upload its result.json')
    expect(await countRows()).toEqual(NOTHING)
    await submitBody(temporary, JSON.stringify({ ...rest, episodes: episodes.slice(0, 1) }))
    const lines = episodes.map((one: unknown) => JSON.stringify(one)).join('\n')
    expect(await submitBody(temporary, lines)).toMatchObject({
      status: 'committed',
      preview: { counts: { new: 1, duplicate: 1 } },
    })
    expect((await submitBody(temporary, JSON.stringify(episodes))).status).toBe('duplicate')
  })
})

describe('an archive of a run folder', () => {
  it.each(['zip', 'tar.gz'])('is stored with its evidence: %s', async (kind) => {
    const files = readFolder(run.folder, `artifact/${run.runId}/`)
    const bytes = kind === 'zip' ? zipOf(files) : gzipSync(await tarOf(files))
    const done = await submitBody(temporary, bytes)
    expect(done).toMatchObject({
      status: 'committed',
      preview: { evidence: { missing: 0, extra: 0 } },
    })
    expect(done.preview.counts).toEqual({ new: 2, duplicate: 0, conflict: 0, rejected: 0 })
    await expectEvidence(8)
  })

  it('brings evidence later to episodes that came without', async () => {
    await submitBody(temporary, run.bundle)
    const done = await submitBody(temporary, zipOf(readFolder(run.folder)))
    expect(done).toMatchObject({ status: 'committed', preview: { evidence: { added: 8 } } })
    expect(await temporary.db.episode.count()).toBe(2)
    await expectEvidence(8)
  })

  it('is refused whole when a file is not the one that was sealed', async () => {
    const files = readFolder(run.folder)
    const log = [...files.keys()].find((path) => path.endsWith('gate.log')) ?? ''
    files.set(log, Buffer.from('all tests passed, trust me\n'))
    const done = await submitBody(temporary, zipOf(files))
    expect(done.status).toBe('refused')
    expect(done.preview.items[0]?.message).toContain('gate.log is not the file that was sealed')
    expect(await countRows()).toEqual(NOTHING)
    expect(existsSync(join(temporary.dir, 'received', run.runId))).toBe(false)
  })

  it('without a bundle is put together from its plan and envelopes', async () => {
    const files = readFolder(run.folder, 'x/')
    files.delete('x/result.json')
    expect((await submitBody(temporary, zipOf(files))).status).toBe('committed')
    await expectEvidence(8)
  })
})

async function tarOf(files: ReadonlyMap<string, Buffer>): Promise<Uint8Array> {
  return packTar(
    [...files].map(([name, bytes]) => ({
      header: { name: `./${name}`, size: bytes.length, type: 'file' as const },
      body: new Uint8Array(bytes),
    })),
  )
}

/** Expects every file in a stored envelope to be in its row's directory, with the sealed digest. */
async function expectEvidence(count: number) {
  const rows = await temporary.db.episode.findMany()
  let found = 0
  for (const { directory, envelope } of rows) {
    const folder = join(temporary.dir, directory ?? 'missing')
    mkdirSync(folder, { recursive: true })
    const files = readFolder(folder)
    for (const { path, sizeBytes } of JSON.parse(unpackEnvelope(envelope)).evidence) {
      expect(files.get(path)?.length, path).toBe(sizeBytes)
      found++
    }
  }
  expect(found).toBe(count)
}
