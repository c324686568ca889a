import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readdirSync, statSync, writeFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { isFile, isFolder } from '../user-files.ts'

const EPOCH = new Date(0)

/**
 * Packs a result file, or a whole run folder with its evidence, into a file of `scratch`: streamed, never whole in
 * memory.
 */
export async function packPayload(
  path: string,
  { scratch, index, plan = null }: { scratch: string; index: number; plan?: string | null },
): Promise<Payload> {
  const file = join(scratch, `payload-${index}`)
  if (isFolder(path)) {
    const files = isHarborJob(path) ? listJobFiles(path, plan) : listRunFiles(path)
    const packed = await write([packRun(files), createGzip()], file)
    return { file, ...packed, contentType: 'application/gzip', contentEncoding: null }
  }
  const source = createReadStream(path)
  if (await looksPacked(path)) {
    const packed = await write([source], file)
    return { file, ...packed, contentType: 'application/octet-stream', contentEncoding: null }
  }
  const packed = await write([source, createGzip()], file)
  const contentType = path.endsWith('.json') ? 'application/json' : 'application/octet-stream'
  return { file, ...packed, contentType, contentEncoding: 'gzip' }
}

/** Writes a value as JSON to a file that is sent. */
export function jsonPayload(file: string, value: unknown): Payload {
  const body = JSON.stringify(value)
  writeFileSync(file, body, { mode: 0o600 })
  const sent = { file, bytes: Buffer.byteLength(body), digest: digestBytes(body) }
  return { ...sent, contentType: 'application/json', contentEncoding: null }
}

/** Omits times and owners, and fixes the order: the same run gives the same bytes. */
function packRun(files: readonly RunFile[]): Readable {
  const { readable, controller } = createTarPacker()
  const feed = async () => {
    for (const { path, file, bytes, isProgram = false } of files) {
      const mode = isProgram ? 0o755 : 0o644
      const header = { name: path, size: bytes, mtime: EPOCH, mode, uid: 0, gid: 0 }
      await fill(controller.add({ ...header, type: 'file' }), file, bytes)
    }
    controller.finalize()
  }
  feed().catch((error: unknown) => controller.error(error))
  return Readable.fromWeb(readable as WebStream<Uint8Array>)
}

/** A file that grows meanwhile is packed with its initial length. */
async function fill(entry: WritableStream<Uint8Array>, file: string, bytes: number): Promise<void> {
  if (bytes === 0) return entry.close()
  const content = Readable.toWeb(createReadStream(file, { end: bytes - 1 }))
  await (content as ReadableStream<Uint8Array>).pipeTo(entry)
}

async function write(
  stages: readonly (Readable | Transform)[],
  file: string,
): Promise<Pick<Payload, 'bytes' | 'digest'>> {
  const hash = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline([...stages, counted, createWriteStream(file, { mode: 0o600 })])
  return { bytes: (await stat(file)).size, digest: `sha256:${hash.digest('hex')}` }
}

/** Gzip and zip are sent unchanged. */
async function looksPacked(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return (
      (buffer[0] === 0x1f && buffer[1] === 0x8b) || buffer.toString('latin1') === 'PK\u0003\u0004'
    )
  } finally {
    await handle.close()
  }
}

/** The bytes to send, on disk, always the same for the same results, so that the server recognises repeats. */
export type Payload = {
  file: string
  bytes: number
  /** Covers exactly these bytes. */
  digest: Digest
  contentType: string
  /** Null = implied by the type. */
  contentEncoding: 'gzip' | null
}

type RunFile = { path: string; file: string; bytes: number; isProgram?: boolean }

/** True for a job folder of Harbor, whose lock is not that of a run of Proofboard. */
function isHarborJob(folder: string): boolean {
  const { episodesPath } = new RunFolder(folder)
  return isFile(join(folder, 'config.json')) && !isFolder(episodesPath)
}

const EXECUTABLE = 0o100

/** Lists every file of a job folder, with the plan it was registered with; follows no link. */
function listJobFiles(folder: string, plan: string | null): RunFile[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file), file }))
    .filter(({ path }) => plan === null || path !== 'plan.json')
  return [...files, ...(plan === null ? [] : [{ path: 'plan.json', file: plan }])]
    .map(({ path, file }) => {
      const { size: bytes, mode } = statSync(file)
      return { path, file, bytes, isProgram: (mode & EXECUTABLE) !== 0 }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Lists the files of a run folder that are results or evidence, by their paths in it, sorted; follows no link. */
function listRunFiles(folder: string): RunFile[] {
  const { resultPath, planPath, lockPath, episodesPath } = new RunFolder(folder)
  const own = [resultPath, planPath, lockPath].filter(isFile)
  const entries = isFolder(episodesPath)
    ? readdirSync(episodesPath, { recursive: true, withFileTypes: true })
    : []
  const evidence = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return [...own, ...evidence]
    .map((file) => ({ path: relative(folder, file), file, bytes: statSync(file).size }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
