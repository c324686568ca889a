import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '#lib/errors.ts'
import type { StoredFile } from '../body/stored-file.ts'
import type { ArchiveFiles } from '../body/unpack-archive.ts'
import type { Content, Format, IncomingRun } from '../format.ts'
import { readDocument } from '../json/read-document.ts'
import { inspectFormat } from './inspect.ts'
import { isBundle } from './result-bundle.ts'
import { ctrfFormat, junitFormat } from './test-reports.ts'
import { tsBenchBoardFormat, tsBenchFormat } from './ts-bench.ts'
import { tsBenchLatestFormat } from './ts-bench-latest.ts'

/** What may lie in an archive as a file of its own. */
const SINGLE: readonly Format[] = [
  tsBenchFormat,
  tsBenchBoardFormat,
  tsBenchLatestFormat,
  ctrfFormat,
  junitFormat,
  inspectFormat,
]
const OURS = /(^|\/)episode\.json$/
const READABLE = /\.(json|xml)$/i

/** An archive of other programs' results, as CI packs what a job left: whatever else lies there is passed over. */
export const reportArchiveFormat: Format = {
  id: 'report-archive',
  title: "an archive of other programs' results",
  detect: (content) =>
    content.kind === 'archive' &&
    ![...content.files.keys()].some((path) => OURS.test(path)) &&
    find(content.files, true).length > 0,
  async *toRuns(content, desk) {
    if (content.kind !== 'archive') return
    for (const { path, format, content: inner } of find(content.files, false)) {
      try {
        for await (const run of format.toRuns(inner, desk)) yield placed(run, path)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new AppError(error.code, `${path}: ${error.message}`, { cause: error })
      }
    }
  },
}

type Found = { path: string; format: Format; content: Content }

/** The files that some format knows; none when one of them is a bundle of ours, which is told of elsewhere. */
function find(files: ArchiveFiles, firstOnly: boolean): Found[] {
  const found: Found[] = []
  for (const [path, stored] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const content = READABLE.test(path) ? open(path, stored) : null
    if (!content) continue
    if (content.kind === 'json' && content.documents.some(isBundle)) return []
    const format = SINGLE.find(({ detect }) => detect(content))
    if (format && !(firstOnly && found.length > 0)) found.push({ path, format, content })
  }
  return found
}

/** A file that is not JSON may be anything: only one that looks like a result has to be whole. */
function open(path: string, stored: StoredFile): Content | null {
  const { file } = stored
  if (startsWithTag(file)) return { kind: 'text', file }
  try {
    return { kind: 'json', file, documents: [readDocument(path, stored)] }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function startsWithTag(file: string): boolean {
  const head = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  try {
    return head.toString('latin1', 0, readSync(handle, head)).trimStart().startsWith('<')
  } finally {
    closeSync(handle)
  }
}

function placed(run: IncomingRun, path: string): IncomingRun {
  const envelopes = run.envelopes.map((one) => ({ ...one, path: `${path}: ${one.path}` }))
  return { ...run, path: `${path}: ${run.path}`, envelopes }
}
