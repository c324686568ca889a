import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Digest } from '../../domain/digest/index.ts'
import { AppError } from '../../errors.ts'
import {
  type ByteReader,
  copyBytes,
  type MeasuredFile,
  measureBytes,
  openFile,
} from './byte-reader.ts'
import {
  type CheckedOut,
  damaged,
  type EvidenceRef,
  type EvidenceStore,
  type StoredObject,
} from './evidence-store.ts'

/** Folder of uploads. Folders of runs contain more than evidence, so files there are never orphans. */
const RECEIVED = 'received'

/** Evidence as files in the data folder, each in the directory of its row: the folder of its run, or of its upload. */
export class DiskStore implements EvidenceStore {
  readonly kind = 'disk'
  readonly name = 'the data folder'
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  open({ place }: EvidenceRef): Promise<ByteReader | null> {
    const path = this.#path(place)
    return openFile(path)
  }

  async measure(ref: EvidenceRef): Promise<MeasuredFile | null> {
    const file = await this.open(ref)
    return file && measureBytes(file)
  }

  async copy(ref: EvidenceRef, to: string, options?: { isPublic?: boolean }) {
    const file = await this.open(ref)
    return file && copyBytes(file, to, options)
  }

  async sizes(): Promise<(ref: EvidenceRef) => Promise<number | null>> {
    return async ({ place }) => {
      const found = await lstat(this.#path(place)).catch(() => null)
      return found?.isFile() ? found.size : null
    }
  }

  /** Writes the file atomically. */
  async put({ place, digest }: EvidenceRef, source: Uint8Array | string): Promise<void> {
    const path = this.#path(place)
    const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
    await mkdir(dirname(path), { recursive: true })
    try {
      if (typeof source !== 'string') await writeFile(draft, source, { flag: 'wx', mode: 0o600 })
      else {
        const file = await openFile(source)
        const copied = file && (await copyBytes(file, draft))
        if (copied?.digest !== digest) throw damaged(place)
      }
      await rename(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** Moves files into their directory. An existing file stays: it has the sealed digest. */
  async settle(folder: string, directory: string): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const place = this.#path(join(directory, relative(folder, file)))
      if (existsSync(place)) continue
      await mkdir(dirname(place), { recursive: true })
      await rename(file, place)
    }
  }

  async delete(refs: readonly EvidenceRef[]): Promise<void> {
    for (const { place } of refs) await rm(this.#path(place), { force: true })
  }

  async checkOut(directory: string): Promise<CheckedOut> {
    return { folder: this.#path(directory), release: async () => {} }
  }

  /** Yields the files of uploads; unfinished ones are in a folder whose name starts with a dot. */
  async *list(): AsyncGenerator<StoredObject> {
    const root = this.#path(RECEIVED)
    if (!existsSync(root)) return
    for (const runId of await readdir(root)) {
      if (runId.startsWith('.')) continue
      const entries = await readdir(join(root, runId), { recursive: true, withFileTypes: true })
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = join(entry.parentPath, entry.name)
        const found = await lstat(file).catch(() => null)
        const name = relative(this.#dataDir, file).split(sep).join('/')
        if (found) yield { name, digest: null, sizeBytes: found.size, modifiedAt: found.mtime }
      }
    }
  }

  async remove({ name }: StoredObject): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  async has({ place }: EvidenceRef): Promise<boolean> {
    const path = this.#path(place)
    const found = await lstat(path).catch(() => null)
    return found?.isFile() ?? false
  }

  pathOf({ place }: EvidenceRef): string {
    return this.#path(place)
  }

  async probe(): Promise<void> {
    const path = this.#path(`.probe-${process.pid}-${randomBytes(4).toString('hex')}`)
    try {
      await writeFile(path, path, { flag: 'wx', mode: 0o600 })
      if ((await readFile(path, 'utf8')) !== path) throw new Error('it gives other bytes back')
    } catch (error) {
      const why = (error as Error).message
      throw new AppError('evidence-unavailable', `the data folder cannot be written: ${why}`)
    } finally {
      await rm(path, { force: true }).catch(() => {})
    }
  }

  #path(place: string): string {
    return join(this.#dataDir, place)
  }
}

/** Returns the digest as in the name of an object. */
export const hexOf = (digest: Digest): string => digest.slice('sha256:'.length)

/** Returns a folder as stored in a row: relative to the data folder. */
export function directoryOf(dataDir: string, folder: string): string {
  return relative(dataDir, folder)
}
