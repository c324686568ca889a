import { readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Digest } from '../../domain/digest/index.ts'
import type { EvidenceFile } from '../../domain/record/index.ts'
import type { BucketObjects } from './bucket-objects.ts'
import { type ByteReader, type MeasuredFile, measureBytes, openFile } from './byte-reader.ts'
import { type DiskStore, hexOf } from './disk-store.ts'
import {
  type CheckedOut,
  damaged,
  type EvidenceRef,
  type EvidenceStore,
  evidenceRef,
  type StoredObject,
} from './evidence-store.ts'
import type { ObjectCache } from './object-cache.ts'

/** Larger objects are read in ranges, without a local copy. */
const CACHED_BYTES = 64 << 20
/** Grace period: newer objects may belong to an upload that is not counted yet. */
const DAY_MS = 86_400_000

type Parts = {
  objects: BucketObjects
  /** Files of this machine: the folders of its runs, a restored backup. */
  disk: DiskStore
  cache: ObjectCache
}

/** Evidence as objects of a bucket, each under its digest: `sha256/ab/abcd…`. Local files are read first. */
export class S3Store implements EvidenceStore {
  readonly kind = 's3'
  readonly #objects: BucketObjects
  readonly #disk: DiskStore
  readonly #cache: ObjectCache

  constructor({ objects, disk, cache }: Parts) {
    this.#objects = objects
    this.#disk = disk
    this.#cache = cache
  }

  get name(): string {
    return this.#objects.name
  }

  async open(ref: EvidenceRef): Promise<ByteReader | null> {
    const local = await this.#disk.open(ref)
    if (local) return local
    if (ref.sizeBytes > CACHED_BYTES) return this.#objects.open(ref)
    return this.#cache.open(hexOf(ref.digest), async (file) => {
      const found = await this.#objects.receive(ref.digest, file)
      if (found && found.digest !== ref.digest) throw damaged(ref.place)
      return found !== null
    })
  }

  async measure(ref: EvidenceRef): Promise<MeasuredFile | null> {
    return (await this.#disk.measure(ref)) ?? (await this.#objects.receive(ref.digest, null))
  }

  async copy(ref: EvidenceRef, to: string, options?: { isPublic?: boolean }) {
    const local = await this.#disk.copy(ref, to, options)
    return local ?? (await this.#objects.receive(ref.digest, to, options))
  }

  async sizes(): Promise<(ref: EvidenceRef) => Promise<number | null>> {
    const stored = new Map<string, number>()
    for await (const { digest, sizeBytes } of this.list()) if (digest) stored.set(digest, sizeBytes)
    const local = await this.#disk.sizes()
    return async (ref) => stored.get(ref.digest) ?? (await local(ref))
  }

  async put(ref: EvidenceRef, source: Uint8Array | string): Promise<void> {
    const hex = hexOf(ref.digest)
    if (typeof source !== 'string')
      return this.#objects.store({ hex, sizeBytes: source.length, bytes: source })
    const file = await openFile(source)
    const measured = file && (await measureBytes(file))
    if (measured?.digest !== ref.digest) throw damaged(ref.place)
    await this.#objects.store({ hex, sizeBytes: measured.bytes, file: source })
  }

  async settle(folder: string, directory: string): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const file = await openFile(path)
      if (!file) continue
      const { digest, bytes } = await measureBytes(file)
      const place = `${directory}/${relative(folder, path)}`
      await this.put({ place, digest, sizeBytes: bytes }, path)
      await rm(path)
    }
  }

  async delete(refs: readonly EvidenceRef[], shared: ReadonlySet<Digest>): Promise<void> {
    await this.#disk.delete(refs)
    const digests = new Set(refs.map(({ digest }) => digest).filter((one) => !shared.has(one)))
    const before = new Date(Date.now() - DAY_MS)
    for (const digest of digests)
      await this.#forget(digest, () => this.#objects.deleteUnchanged(digest, before))
  }

  async checkOut(directory: string, files: readonly EvidenceFile[]): Promise<CheckedOut> {
    const refs = files.flatMap((file) => {
      const ref = evidenceRef(directory, file)
      return ref ? [{ ref, path: file.path }] : []
    })
    const local = await this.#disk.sizes()
    const here = await Promise.all(refs.map(({ ref }) => local(ref)))
    if (here.every((size) => size !== null)) return this.#disk.checkOut(directory)
    const folder = await this.#cache.hold()
    const release = () => rm(folder, { recursive: true, force: true })
    try {
      for (const { ref, path } of refs) {
        const copied = await this.copy(ref, join(folder, path))
        if (copied && copied.digest !== ref.digest) await rm(join(folder, path))
      }
    } catch (error) {
      await release()
      throw error
    }
    return { folder, release }
  }

  async has(ref: EvidenceRef): Promise<boolean> {
    return (await this.#disk.has(ref)) || this.#objects.has(ref.digest)
  }

  list(): AsyncGenerator<StoredObject> {
    return this.#objects.list()
  }

  remove(object: StoredObject): Promise<void> {
    return this.#forget(object.digest, () => this.#objects.removeOld(object))
  }

  probe(): Promise<void> {
    return this.#objects.probe()
  }

  async #forget(digest: Digest | null, work: () => Promise<void>): Promise<void> {
    await work()
    if (digest) await this.#cache.forget(hexOf(digest))
  }

  /** Uploads a local file into the bucket; false = there is none. */
  async upload(ref: EvidenceRef): Promise<boolean> {
    if (!(await this.#disk.has(ref))) return false
    await this.put(ref, this.#disk.pathOf(ref))
    return true
  }

  /** Uploads a file if it is local, and reads it back from the bucket. */
  async moveOut(ref: EvidenceRef): Promise<'whole' | 'altered' | 'missing'> {
    const before = await this.#disk.measure(ref)
    if (before && before.digest !== ref.digest) return 'altered'
    await this.upload(ref)
    return compare(await this.#objects.receive(ref.digest, null), ref)
  }

  /** Downloads a file from the bucket to its place on this machine, and reads it back. */
  async bringHome(ref: EvidenceRef): Promise<'whole' | 'altered' | 'missing'> {
    const here = await this.#disk.measure(ref)
    if (here) return compare(here, ref)
    const folder = await this.#cache.hold()
    try {
      const draft = join(folder, hexOf(ref.digest))
      const found = compare(await this.#objects.receive(ref.digest, draft), ref)
      if (found !== 'whole') return found
      await this.#disk.put(ref, draft)
      return compare(await this.#disk.measure(ref), ref)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Removes the local copy of a file that the bucket has; false = there was none. */
  async dropLocal(ref: EvidenceRef): Promise<boolean> {
    if (!(await this.#disk.has(ref))) return false
    await this.#disk.delete([ref])
    return true
  }
}

function compare(found: MeasuredFile | null, ref: EvidenceRef): 'whole' | 'altered' | 'missing' {
  if (!found) return 'missing'
  return found.digest === ref.digest ? 'whole' : 'altered'
}
