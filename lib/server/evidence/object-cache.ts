import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isProcessAlive } from '../../processes/is-process-alive.ts'
import { type ByteReader, openFile } from './byte-reader.ts'

/** Size limit; the least recently read objects are removed first. */
const MAX_BYTES = 1e9
const HELD = /^held-(\d+)-/

/** Local copies of objects that were read and verified, so that each is downloaded once. */
export class ObjectCache {
  readonly #folder: string
  readonly #underWay = new Map<string, Promise<boolean>>()
  /** Bytes added since the last check of the limit. */
  #added = MAX_BYTES

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Opens an object, after `fetch` has written it to a new file if it is not cached, complete and verified; null = it
   * does not exist.
   */
  async open(hex: string, fetch: (file: string) => Promise<boolean>): Promise<ByteReader | null> {
    const known = await this.#openKnown(hex)
    if (known) return known
    const fetching = this.#underWay.get(hex) ?? this.#fetch(hex, fetch)
    this.#underWay.set(hex, fetching)
    try {
      return (await fetching) ? await this.#openKnown(hex) : null
    } finally {
      this.#underWay.delete(hex)
    }
  }

  async forget(hex: string): Promise<void> {
    await rm(this.#path(hex), { force: true })
  }

  /** Creates a folder for one reader; the next check removes those of ended processes. */
  async hold(): Promise<string> {
    const folder = join(this.#folder, `held-${process.pid}-${randomBytes(6).toString('hex')}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async #openKnown(hex: string): Promise<ByteReader | null> {
    const file = await openFile(this.#path(hex))
    if (!file) return null
    const now = new Date()
    await utimes(this.#path(hex), now, now).catch(() => {})
    return { ...file, version: hex }
  }

  async #fetch(hex: string, fetch: (file: string) => Promise<boolean>): Promise<boolean> {
    const path = this.#path(hex)
    const folder = await this.hold()
    try {
      const draft = join(folder, hex)
      if (!(await fetch(draft))) return false
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      this.#added += (await lstat(draft)).size
      await rename(draft, path)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    if (this.#added >= MAX_BYTES / 10) await this.#makeRoom()
    return true
  }

  async #makeRoom(): Promise<void> {
    this.#added = 0
    const files: CachedFile[] = []
    for (const { name } of await readdir(this.#folder, { withFileTypes: true })) {
      const path = join(this.#folder, name)
      const [, pid] = HELD.exec(name) ?? []
      if (pid === undefined) files.push(...(await listCached(path)))
      else if (!isProcessAlive(Number(pid))) await rm(path, { recursive: true, force: true })
    }
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { path, bytes } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= MAX_BYTES) break
      await rm(path, { force: true })
      total -= bytes
    }
  }

  #path(hex: string): string {
    return join(this.#folder, hex.slice(0, 2), hex)
  }
}

type CachedFile = { path: string; bytes: number; usedAt: number }

async function listCached(folder: string): Promise<CachedFile[]> {
  const files: CachedFile[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found) files.push({ path, bytes: found.size, usedAt: found.mtimeMs })
  }
  return files
}
