import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROUNDS = 20
const ROUND_MS = 50
const MOST_FILES = 200
const MOST_BYTES = 256 << 20

/** Chromium's names for a file that is still coming. */
const UNFINISHED = /\.crdownload$|^\.(?:org\.chromium|com\.google)\./

/**
 * The whole files of a folder with the digests of their bytes, by name. Waits a second at most for one that is coming;
 * null when there is more than can be looked at.
 */
export async function listDownloads(
  folder: string,
): Promise<{ name: string; digest: string }[] | null> {
  let names = await readdir(folder)
  for (let round = 0; round < ROUNDS && isComing(names); round++) {
    await sleep(ROUND_MS)
    names = await readdir(folder)
  }
  const whole = names.filter((name) => !UNFINISHED.test(name)).sort()
  if (whole.length > MOST_FILES) return null
  const files: { name: string; digest: string }[] = []
  for (const name of whole) {
    const path = join(folder, name)
    const { size, isFile } = await lstat(path).then((one) => ({
      size: one.size,
      isFile: one.isFile(),
    }))
    if (size > MOST_BYTES) return null
    if (isFile) files.push({ name, digest: await digestFile(path) })
  }
  return files
}

/** A download that was just asked for may have no file yet. */
function isComing(names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => UNFINISHED.test(name))
}

async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return `sha256:${hash.digest('hex')}`
}
