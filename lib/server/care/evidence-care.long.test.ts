import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { type StandIn, startStandIn } from '#lib/testing/s3/stand-in.ts'

// Whole commands in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-evidence-care-'))
const onDisk = join(root, 'disk')
const inBucket = join(root, 'bucket')
let bucket: StandIn

/** Runs a command with evidence on the disk, or in the bucket. */
const onDiskRun = (...args: string[]) => proofboardHere(onDisk, args)
const inBucketRun = (...args: string[]) => proofboardHere(inBucket, args, bucket.settings('main'))

beforeAll(async () => {
  bucket = await startStandIn({ pageSize: 50 })
  await plantDemo(onDisk, { withBrowser: true })
  cpSync(onDisk, inBucket, { recursive: true })
})
afterAll(async () => {
  await bucket.close()
  rmSync(root, { recursive: true, force: true })
})

/** Reads every file below a folder, by path. */
function readTree(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [relative(folder, file), readFileSync(file).toString('base64')]),
  )
}

const sha256Keys = () => [...bucket.objects.keys()].filter((key) => key.includes('/sha256/'))

describe('evidence that is moved into a bucket', () => {
  it('is verified there file by file, again without a second copy, and leaves the disk', async () => {
    const before = lastJson((await onDiskRun('evidence', 'check', '--json')).stdout)
    bucket.fail({ share: 0.05 })
    const moved = await inBucketRun('evidence', 'move', '--to', 's3', '--json')
    expect([moved.code, moved.stderr]).toEqual([0, ''])
    expect(lastJson(moved.stdout)).toMatchObject({ files: before.whole, removed: 0, problems: [] })
    bucket.fail({})
    const stored = sha256Keys()
    const again = await inBucketRun('evidence', 'move', '--to', 's3', '--remove', '--json')
    expect(lastJson(again.stdout)).toMatchObject({ files: before.whole, removed: before.whole })
    expect(sha256Keys()).toEqual(stored)
    const check = await inBucketRun('evidence', 'check', '--json')
    expect(lastJson(check.stdout)).toEqual({ ...before, store: 's3' })
  })

  it('gives the same archive and the same backup as the disk does', async () => {
    for (const [run, name] of [
      [onDiskRun, 'a'],
      [inBucketRun, 'b'],
    ] as const) {
      await run('board', 'export', '--to', join(root, `archive-${name}`), '--with-evidence')
      await run('backup', 'create', '--to', join(root, `backups-${name}`), '--with-evidence')
    }
    const evidence = (name: string) => readTree(join(root, `archive-${name}`, 'evidence'))
    expect(evidence('a').size).toBeGreaterThan(0)
    expect(evidence('b')).toEqual(evidence('a'))
    const backup = (name: string) => {
      const folder = join(root, `backups-${name}`)
      return readTree(join(folder, readdirSync(folder)[0] ?? '', 'demo-evidence'))
    }
    expect(backup('a').size).toBeGreaterThan(0)
    expect(backup('b')).toEqual(backup('a'))
  })

  it('is restored from a backup onto a disk that is whole by itself', async () => {
    const folder = join(root, 'backups-b')
    const into = join(root, 'restored')
    const name = join(folder, readdirSync(folder)[0] ?? '')
    const restored = await proofboardHere(into, ['backup', 'restore', name, '--into', into])
    expect(restored.code).toBe(0)
    const check = await proofboardHere(into, ['evidence', 'check', '--json'])
    expect(lastJson(check.stdout)).toMatchObject({ store: 'disk', problems: [] })
  })

  it('is named where it is missing or other bytes', async () => {
    const [lost = '', changed = ''] = sha256Keys()
    const kept = [lost, changed].map((key) => [key, bucket.objects.get(key)] as const)
    bucket.objects.delete(lost)
    bucket.objects.set(changed, { bytes: Buffer.from('other'), modifiedAt: new Date() })
    const { code, stderr } = await inBucketRun('evidence', 'check')
    expect(code).toBe(1)
    expect(stderr).toContain('is missing, and retention did not take it')
    expect(stderr).toContain('is not what was sealed')
    for (const [key, object] of kept) if (object) bucket.objects.set(key, object)
  })

  it('that nothing names is swept, not before it is a day old, and only when that is asked for', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000)
    for (const object of bucket.objects.values()) object.modifiedAt = old
    const orphan = `main/sha256/aa/${'a'.repeat(64)}`
    const young = `main/sha256/bb/${'b'.repeat(64)}`
    bucket.objects.set(orphan, { bytes: Buffer.from('orphan'), modifiedAt: old })
    bucket.objects.set(young, { bytes: Buffer.from('young'), modifiedAt: new Date() })
    const stored = sha256Keys().length
    const shown = await inBucketRun('evidence', 'sweep')
    expect(shown.stdout).toContain('1 file, 6 B would be deleted')
    expect(sha256Keys()).toHaveLength(stored)
    await inBucketRun('evidence', 'sweep', '--delete')
    expect(bucket.objects.has(orphan)).toBe(false)
    expect(bucket.objects.has(young)).toBe(true)
    expect(sha256Keys()).toHaveLength(stored - 1)
  })

  it('comes home byte for byte', async () => {
    const home = await inBucketRun('evidence', 'move', '--to', 'disk', '--json')
    expect(lastJson(home.stdout)).toMatchObject({ problems: [] })
    expect(readTree(join(inBucket, 'demo-evidence'))).toEqual(
      readTree(join(onDisk, 'demo-evidence')),
    )
  })
})

describe('a bucket of another board', () => {
  const other = join(root, 'other')
  const run = (...args: string[]) => proofboardHere(other, args, bucket.settings('main'))

  it('is refused until it is adopted', async () => {
    cpSync(onDisk, other, { recursive: true })
    const stored = [...bucket.objects.keys()]
    const refused = await run('evidence', 'move', '--to', 's3')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/s3:\/\/evidence\/main belongs to another board since/)
    expect([...bucket.objects.keys()]).toEqual(stored)
    const adopted = await run('evidence', 'adopt')
    expect(adopted.stdout).toContain('s3://evidence/main belongs to board')
    expect((await run('evidence', 'check')).code).toBe(0)
    // Another spelling of the URL: this process remembers that it owns the bucket.
    const again = bucket.settings('main/')
    const { stderr } = await proofboardHere(inBucket, ['evidence', 'check'], again)
    expect(stderr).toMatch(/belongs to another board/)
  })

  it('that cannot be written, or whose keys are missing, is told in one sentence', async () => {
    bucket.fail({ isReadOnly: true })
    const { code, stderr } = await run('evidence', 'check')
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(stderr).toContain('(AccessDenied): check the rights of the key on this bucket')
    bucket.fail({})
    const keyless = await proofboardHere(other, ['evidence', 'check'], {
      ...bucket.settings('main/'),
      AWS_SECRET_ACCESS_KEY: '',
    })
    expect(keyless.stderr).toContain('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  })
})

it('uploads that nothing names are swept from the disk too', async () => {
  const folder = join(onDisk, 'received', 'run_gone00000', 'ep_gone')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'subject.log')
  writeFileSync(file, 'of an episode that is not stored')
  expect((await onDiskRun('evidence', 'sweep', '--delete')).stdout).toContain('0 files')
  utimesSync(file, statSync(file).atime, new Date(Date.now() - 2 * 86_400_000))
  expect((await onDiskRun('evidence', 'sweep', '--delete')).stdout).toContain('1 file,')
  expect(existsSync(file)).toBe(false)
})
