import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { settleEnv } from '#lib/env.ts'
import { type StandIn, startStandIn } from '#lib/testing/s3/stand-in.ts'
import { evidenceStore } from './configured-store.ts'
import {
  type EvidenceRef,
  type EvidenceStore,
  evidenceRef,
  judgeEvidence,
  type StoredObject,
} from './evidence-store.ts'

let dir: string
let bucket: StandIn
beforeAll(async () => {
  bucket = await startStandIn({ pageSize: 3 })
})
afterAll(() => bucket.close())
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-evidence-'))
})
afterEach(() => {
  bucket.fail({})
  bucket.objects.clear()
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true, force: true })
})

/** Starts a server with its own data folder. */
function startAs(kind: 'disk' | 's3', dataDir = dir, more: Record<string, string> = {}) {
  const settings = kind === 's3' ? bucket.settings('board') : {}
  for (const [name, value] of Object.entries({ ...settings, ...more })) vi.stubEnv(name, value)
  vi.stubEnv('PROOFBOARD_DATA_DIR', dataDir)
  settleEnv(process.cwd())
  return evidenceStore()
}

function refOf(
  bytes: Buffer,
  path = 'subject.log',
  directory = 'received/run_a/ep_a',
): EvidenceRef {
  const file = { path, digest: digestBytes(bytes), sizeBytes: bytes.length }
  return evidenceRef(directory, file) as EvidenceRef
}

async function readAll(ref: EvidenceRef): Promise<Buffer | null> {
  const reader = await evidenceStore().open(ref)
  if (!reader) return null
  const bytes = Buffer.from(await reader.read(Buffer.alloc(reader.sizeBytes + 10), 0))
  await reader.close()
  return bytes
}

async function listAll(store: EvidenceStore): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  for await (const object of store.list()) objects.push(object)
  return objects
}

/** Makes all objects two days old. */
function age(): void {
  for (const object of bucket.objects.values())
    object.modifiedAt = new Date(Date.now() - 2 * 86_400_000)
}

const LOG = Buffer.from('one\ntwo\nthree\n'.repeat(100))

describe.each(['disk', 's3'] as const)('on %s', (kind) => {
  it('what is put is read, in parts too, is listed, and is gone once it is deleted', async () => {
    const store = startAs(kind)
    const ref = refOf(LOG)
    expect(await store.open(ref)).toBeNull()
    expect(await judgeEvidence(store, ref)).toBe('missing')
    await store.put(ref, LOG)
    expect(await readAll(ref)).toEqual(LOG)
    const reader = await store.open(ref)
    expect((await reader?.read(Buffer.alloc(5), 4))?.toString()).toBe('two\nt')
    expect(await reader?.read(Buffer.alloc(5), LOG.length)).toHaveLength(0)
    await reader?.close()
    expect(await judgeEvidence(store, ref)).toBe('whole')
    expect(await (await store.sizes())(ref)).toBe(LOG.length)
    const copy = join(dir, 'copy')
    expect(await store.copy(ref, copy)).toEqual({ digest: ref.digest, bytes: LOG.length })
    expect(readFileSync(copy)).toEqual(LOG)
    writeFileSync(copy, 'of another')
    await expect(store.copy(ref, copy)).rejects.toMatchObject({ code: 'EEXIST' })
    expect(readFileSync(copy, 'utf8')).toBe('of another')
    const listed = await listAll(store)
    expect(listed.map(({ sizeBytes }) => sizeBytes)).toEqual([LOG.length])
    age()
    await store.delete([ref], new Set())
    expect(await readAll(ref)).toBeNull()
    expect(await listAll(store)).toEqual([])
  })

  it('takes over a folder, once and again, and hands it out as a folder', async () => {
    const store = startAs(kind)
    const files = [
      { path: 'subject.log', bytes: LOG },
      { path: 'solution/index.ts', bytes: Buffer.from('export {}\n') },
    ]
    for (let time = 0; time < 2; time++) {
      const folder = join(dir, `staged-${time}`)
      mkdirSync(join(folder, 'solution'), { recursive: true })
      for (const { path, bytes } of files) writeFileSync(join(folder, path), bytes)
      await store.settle(folder, 'received/run_a/ep_a')
    }
    const listed = files.map(({ path, bytes }) => {
      return {
        role: 'solution',
        path,
        digest: digestBytes(bytes),
        sizeBytes: bytes.length,
      } as const
    })
    const evidence = listed.map((file) => ({ ...file, droppedBytes: 0 }))
    const { folder, release } = await store.checkOut('received/run_a/ep_a', evidence)
    for (const { path, bytes } of files) expect(readFileSync(join(folder, path))).toEqual(bytes)
    await release()
    for (const { path, bytes } of files) expect(await readAll(refOf(bytes, path))).toEqual(bytes)
    expect(await listAll(store)).toHaveLength(2)
  })

  it('says in one sentence whether it works', async () => {
    await startAs(kind).probe()
    if (kind === 's3') {
      bucket.fail({ isReadOnly: true })
      const store = evidenceStore()
      await expect(store.probe()).rejects.toThrow(
        /^the evidence store s3:\/\/evidence\/board refuses/,
      )
    } else rmSync(dir, { recursive: true })
    if (kind === 'disk') await expect(evidenceStore().probe()).rejects.toThrow(/cannot be written/)
  })
})

describe('a bucket', () => {
  it('is read once, verified, and answers from this machine afterwards', async () => {
    const store = startAs('s3')
    const ref = refOf(LOG)
    await store.put(ref, LOG)
    const before = bucket.counts.get('GET') ?? 0
    const [first, second] = await Promise.all([readAll(ref), readAll(ref)])
    expect([first, second]).toEqual([LOG, LOG])
    expect(await readAll(ref)).toEqual(LOG)
    expect(bucket.counts.get('GET')).toBe(before + 1)
  })

  it('that gives other bytes is refused by name, and nothing of them is shown', async () => {
    const store = startAs('s3')
    const ref = refOf(LOG)
    await store.put(ref, LOG)
    for (const object of bucket.objects.values()) object.bytes[0] = 0x21
    await expect(readAll(ref)).rejects.toThrow(
      /^received\/run_a\/ep_a\/subject.log in the evidence/,
    )
    expect(await judgeEvidence(store, ref)).toBe('altered')
  })

  it('is asked again after errors, and after an answer that breaks off', async () => {
    const store = startAs('s3')
    const ref = refOf(LOG)
    bucket.fail({ errors: 2 })
    await store.put(ref, LOG)
    bucket.fail({ errors: 1, cuts: 1 })
    expect(await readAll(ref)).toEqual(LOG)
  })

  it('that is down, or refuses, says so in one sentence without a key', async () => {
    const store = startAs('s3')
    const ref = refOf(LOG)
    await store.put(ref, LOG)
    bucket.fail({ share: 1 })
    await expect(readAll(ref)).rejects.toThrow(/cannot be reached: it answers 500/)
    bucket.fail({ refusal: 'RequestTimeTooSkewed' })
    await expect(readAll(ref)).rejects.toThrow(/the clock of this machine is wrong/)
    bucket.fail({})
    startAs('s3', join(dir, 'other'), { AWS_SECRET_ACCESS_KEY: 'wrong-secret' })
    const failure = await evidenceStore()
      .probe()
      .catch((error: Error) => error.message)
    expect(failure).toMatch(/SignatureDoesNotMatch.*AWS_SECRET_ACCESS_KEY is not/)
    expect(failure).not.toContain('wrong-secret')
  })

  it('reads a large object in ranges, without a copy of it', async () => {
    const store = startAs('s3')
    const large = Buffer.alloc((64 << 20) + 5, 'line of a log\n')
    const ref = refOf(large)
    const file = join(dir, 'large')
    writeFileSync(file, large)
    await store.put(ref, file)
    const reader = await store.open(ref)
    const at = large.length - 20
    expect(await reader?.read(Buffer.alloc(100), at)).toEqual(large.subarray(at))
    expect(await reader?.read(Buffer.alloc(7), 30)).toEqual(large.subarray(30, 37))
    await reader?.close()
    expect(readdirSync(dir)).not.toContain('evidence-cache')
    const key = [...bucket.objects.keys()].find((name) => name.includes('sha256')) ?? ''
    bucket.objects.set(key, { bytes: large.subarray(1), modifiedAt: new Date() })
    await expect(store.open(ref)).rejects.toThrow(/is not the file that was sealed/)
  })

  it('keeps one object for the same bytes until nothing names them', async () => {
    const store = startAs('s3')
    const refs = ['a', 'b'].map((name) => refOf(LOG, 'subject.log', `received/run_a/ep_${name}`))
    for (const ref of refs) await store.put(ref, LOG)
    expect(await listAll(store)).toHaveLength(1)
    age()
    await store.delete(refs.slice(0, 1), new Set(refs.map(({ digest }) => digest)))
    expect(await readAll(refs[1] as EvidenceRef)).toEqual(LOG)
    await store.delete(refs, new Set())
    expect(await listAll(store)).toEqual([])
  })

  it('keeps what an upload wrote again, though retention found nothing that names it', async () => {
    const store = startAs('s3')
    const [old, uploaded] = ['a', 'b'].map((name) =>
      refOf(LOG, 'subject.log', `received/run_a/ep_${name}`),
    ) as [EvidenceRef, EvidenceRef]
    await store.put(old, LOG)
    age()
    const shared = new Set<EvidenceRef['digest']>() // as counted before the upload was stored
    await store.put(uploaded, LOG)
    await store.delete([old], shared)
    expect(await readAll(uploaded)).toEqual(LOG)
  })

  it('lists more than one page', async () => {
    const store = startAs('s3')
    for (let at = 0; at < 8; at++) {
      const bytes = Buffer.from(`log ${at}`)
      await store.put(refOf(bytes), bytes)
    }
    const listed = await listAll(store)
    expect(new Set(listed.map(({ digest }) => digest)).size).toBe(8)
  })

  it('of another board is refused before anything is written', async () => {
    await startAs('s3').put(refOf(LOG), LOG)
    const before = [...bucket.objects.keys()]
    const other = startAs('s3', join(dir, 'other'))
    const bytes = Buffer.from('of the other board')
    await expect(other.put(refOf(bytes), bytes)).rejects.toThrow(/belongs to another board since/)
    expect([...bucket.objects.keys()]).toEqual(before)
  })
})

it.each([
  ['https://bucket', 'expected s3://'],
  ['s3://key:secret@bucket', 'keys do not belong into it'],
  ['s3://bucket?color=red', 'it has no setting color'],
  ['s3://b', '"b" is not the name of a bucket'],
  ['s3://bucket?endpoint=ftp://x', 'endpoint is the address of a server'],
  ['s3://bucket/a/../../b?style=tree', 'style is path or host'],
])('refuses the address %s in one sentence', (address, words) => {
  const startIt = () => startAs('s3', dir, { PROOFBOARD_EVIDENCE_URL: address })
  expect(startIt).toThrow(`environment variable PROOFBOARD_EVIDENCE_URL: ${words}`)
})
