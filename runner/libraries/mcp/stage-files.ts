import { randomUUID } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Copies files to where a server may read: servers give a page only what lies below their own working folder. */
export async function stageFiles(folder: string, paths: readonly string[]): Promise<string[]> {
  const place = join(folder, 'files', randomUUID())
  await mkdir(place, { recursive: true })
  return Promise.all(
    paths.map(async (path) => {
      const copy = join(place, basename(path))
      await copyFile(path, copy)
      return copy
    }),
  )
}
