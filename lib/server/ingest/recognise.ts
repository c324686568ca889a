import { closeSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { countOf } from '#lib/domain/text/index.ts'
import type { SubmissionDetails } from '../../domain/formats/index.ts'
import { AppError } from '../../errors.ts'
import type { Content, Format, IncomingRun, LeftOut } from './format.ts'
import { StagingFolder } from './format.ts'
import { harborFormat } from './formats/harbor.ts'
import { inspectFormat, inspectZipFormat } from './formats/inspect.ts'
import {
  episodeListFormat,
  isBundle,
  resultBundleFormat,
  runArchiveFormat,
} from './formats/result-bundle.ts'
import { ctrfFormat, junitFormat } from './formats/test-reports.ts'
import { tsBenchBoardFormat, tsBenchFormat, tsBenchLatestFormat } from './formats/ts-bench.ts'
import { JsonDocument, readDocument } from './json/json-document.ts'
import { JsonScan } from './json/scan-json.ts'
import { MAX_EPISODES } from './limits.ts'
import type { Body } from './read-body.ts'
import type { StoredFile } from './unpack-archive.ts'
import { type ArchiveFiles, unpackArchive } from './unpack-archive.ts'

/** A recognised format, and its content ready to be read. */
export type Recognised = { format: Format; content: Content; staging: StagingFolder }

/** Recognises the format of a body on disk; archives are unpacked into `folder`. Throws an AppError when unknown. */
export async function recognise(
  body: Body,
  folder: string,
  details: SubmissionDetails = {},
): Promise<Recognised> {
  const content = await openBody(body, folder)
  const format = FORMATS.find(({ detect }) => detect(content))
  const loose = findLoose(content)
  if (loose && !format?.isLoose) throw loose
  if (format)
    return { format, content, staging: new StagingFolder(join(folder, 'staging'), details) }
  const known = FORMATS.map(({ title }) => title).join(', ')
  const message = `unsupported format, expected one of these: ${known}; ${describeShape(content)}`
  // An unknown text differs from a type that cannot be read.
  throw new AppError(content.kind === 'text' ? 'unsupported-type' : 'invalid-episode', message)
}

async function openBody(body: Body, folder: string): Promise<Content> {
  const { kind, file } = body
  if (kind !== 'text')
    return { kind: 'archive', files: await unpackArchive({ ...body, kind }, join(folder, 'files')) }
  const bytes = await readFile(file)
  if (isMarkup(bytes)) return { kind: 'text', file }
  const scan = new JsonScan(bytes, 'the upload', MAX_EPISODES)
  while (scan.step()) await breathe()
  const documents = scan.outlines.map((outline) => new JsonDocument(scan, outline))
  return { kind: 'json', file, documents }
}

/** Returns the first number that only a format written by Python may contain, as an error. */
function findLoose(content: Content): AppError | null {
  return content.kind === 'json' ? (content.documents[0]?.scan.loose ?? null) : null
}

function describeShape(content: Content): string {
  if (content.kind === 'archive') return describeArchive(content.files)
  if (content.kind === 'text') return 'it is text that starts with "<"'
  const [first] = content.documents
  if (first?.outline.kind !== 'object') return `it is JSON without any envelope`
  const keys = [...first.outline.members.keys()].slice(0, 5)
  return keys.length > 0
    ? `it is a JSON object with ${keys.map((key) => JSON.stringify(key.slice(0, 40))).join(', ')}`
    : 'it is an empty JSON object'
}

function describeArchive(files: ArchiveFiles): string {
  const logs = [...files.keys()].filter((path) => path.endsWith('.eval')).length
  return logs > 0
    ? `it is an archive of ${logs} .eval files: upload each of them by itself`
    : `it is an archive of ${countOf(files.size, 'other file')}`
}

/** An archive of other programs' results, such as a CI job's output: other files in it are skipped. */
const reportArchiveFormat: Format = {
  id: 'report-archive',
  title: "an archive of other programs' results",
  detect: (content) =>
    content.kind === 'archive' &&
    ![...content.files.keys()].some((path) => EPISODE_FILE.test(path)) &&
    find(content.files, true).length > 0,
  async *toRuns(content, staging) {
    if (content.kind !== 'archive') return
    for (const { path, format, content: inner } of find(content.files, false)) {
      try {
        for await (const run of format.toRuns(inner, staging)) yield placed(run, path)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new AppError(error.code, `${path}: ${error.message}`, { cause: error })
      }
    }
  },
}

/** The file types that may be single files in an archive. */
const SINGLE: readonly Format[] = [
  tsBenchFormat,
  tsBenchBoardFormat,
  tsBenchLatestFormat,
  ctrfFormat,
  junitFormat,
  inspectFormat,
]
/** In the order of detection; the first that recognises the content reads it. */
const FORMATS: readonly Format[] = [
  resultBundleFormat,
  ...SINGLE,
  inspectZipFormat,
  harborFormat,
  episodeListFormat,
  reportArchiveFormat,
  runArchiveFormat,
]
const EPISODE_FILE = /(^|\/)episode\.json$/
const READABLE = /\.(json|xml)$/i

type Found = { path: string; format: Format; content: Content }

/** Finds the files of a known format; none when one of them is a Proofboard bundle, which another format handles. */
function find(files: ArchiveFiles, firstOnly: boolean): Found[] {
  const found: Found[] = []
  for (const [path, stored] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const content = READABLE.test(path) ? openEntry(path, stored) : null
    if (!content) continue
    if (content.kind === 'json' && content.documents.some(isBundle)) return []
    const format = SINGLE.find(
      (one) => one.detect(content) && (one.isLoose || findLoose(content) === null),
    )
    if (format && !(firstOnly && found.length > 0)) found.push({ path, format, content })
  }
  // Saved runs before the files that repeat them: the first record of a run is the one that is stored.
  return found.sort((a, b) => SINGLE.indexOf(a.format) - SINGLE.indexOf(b.format))
}

/** Opens a file of an archive. Only one that looks like a result has to be valid JSON. */
function openEntry(path: string, stored: StoredFile): Content | null {
  const { file } = stored
  if (startsWithTag(file)) return { kind: 'text', file }
  try {
    return { kind: 'json', file, documents: [readDocument(path, stored, { isLoose: true })] }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Returns whether it is XML, which may start with a byte order mark, as programs of Windows write it. */
function isMarkup(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 100).replace(/^\u00ef\u00bb\u00bf/, '')
  return head.trimStart().startsWith('<')
}

function startsWithTag(file: string): boolean {
  const head = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  try {
    return isMarkup(head.subarray(0, readSync(handle, head)))
  } finally {
    closeSync(handle)
  }
}

function placed(run: IncomingRun | LeftOut, path: string): IncomingRun | LeftOut {
  if ('reason' in run) return { ...run, path: run.path === '' ? path : `${path}: ${run.path}` }
  const envelopes = run.envelopes.map((one) => ({ ...one, path: `${path}: ${one.path}` }))
  return { ...run, path: `${path}: ${run.path}`, envelopes }
}
