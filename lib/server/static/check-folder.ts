import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  COPY_MANIFEST,
  type CopyReport,
  checkCopy,
  parseCopyManifest,
} from '#lib/domain/archive/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { AppError } from '#lib/errors.ts'
import { isSignedText } from '../care/ledger-heads.ts'
import { listFiles } from '../care/list-files.ts'

/** Checks a static copy on this disk, and that nothing was added to it. */
export async function checkFolder(folder: string): Promise<CopyReport> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('invalid-request', `${folder} is not a folder`)
  const read = (path: string) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(folder, path))
      : null
  const report = await checkCopy({
    read: async (path) => read(path),
    digest: async (bytes) => digestBytes(bytes),
    verify: async (text, signature, key) => isSignedText(text, signature, key),
  })
  const text = read(COPY_MANIFEST)?.toString('utf8') ?? ''
  const listed = new Set(parseCopyManifest(text)?.files.map(({ path }) => path))
  const added = listFiles(folder).filter((path) => path !== COPY_MANIFEST && !listed.has(path))
  if (listed.size === 0) return report
  const unlisted = added.map((place) => ({
    place,
    problem: 'is not in manifest.json: it was added',
  }))
  return { ...report, flaws: [...report.flaws, ...unlisted] }
}
