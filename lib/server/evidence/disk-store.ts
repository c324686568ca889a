import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { ByteReader } from './byte-reader.ts'
import { openFile } from './byte-reader.ts'
import type { EvidenceRef, EvidenceStore } from './evidence-store.ts'

/** Evidence as files below the data folder, each where its row says: in the folder of its run, or of its upload. */
export class DiskStore implements EvidenceStore {
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  open({ place }: EvidenceRef): Promise<ByteReader | null> {
    return openFile(this.#path(place))
  }

  async sizeOf({ place }: EvidenceRef): Promise<number | null> {
    const found = await lstat(this.#path(place)).catch(() => null)
    return found?.isFile() ? found.size : null
  }

  async put({ place }: EvidenceRef, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(this.#path(place)), { recursive: true })
    await writeFile(this.#path(place), bytes)
  }

  /** A file that is in its place already stays: it has the digest that was sealed. */
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

  async checkOut(directory: string) {
    return { folder: this.#path(directory), release: async () => {} }
  }

  #path(place: string): string {
    return join(this.#dataDir, place)
  }
}

/** The name under which a row keeps a folder of this machine: relative to the data folder. */
export function directoryOf(dataDir: string, folder: string): string {
  return relative(dataDir, folder)
}
