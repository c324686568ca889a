import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ReadEvidence, SiteInput } from '#components/site/site-input.ts'
import { correctionNotes } from '#lib/domain/api/index.ts'
import {
  type Archive,
  COPY_ARCHIVE,
  COPY_MANIFEST,
  copySignedText,
  describeCopy,
  manifestSchema,
  parseCopyManifest,
  readArchive,
  rebuildBoard,
} from '#lib/domain/archive/index.ts'
import type { Board } from '#lib/domain/board/index.ts'
import { canonicalJson, digestBytes } from '#lib/domain/digest/index.ts'
import { applyLedger, correctedStatus, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import type { LibraryFacts } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { loadSite } from '#lib/site/load-site.ts'
import { writeSite } from '#lib/site/write-site.ts'
import { getLibraryFacts } from '../board/board.ts'
import { methodologyText } from '../board/text-pages.ts'
import { draftOf } from '../care/draft-folder.ts'
import { exportArchive } from '../care/export-archive.ts'
import { signText } from '../care/ledger-heads.ts'
import { listFiles, listTarget } from '../care/list-files.ts'
import { readServer } from '../care/read-server.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { evidenceRef } from '../evidence/evidence-store.ts'
import { replaceFolder } from './replace-folder.ts'

export type ExportSiteOptions = {
  maxFiles: number
  maxBytes: number
  /** Episodes that have pages and files, those of the latest runs first. */
  maxEpisodes: number
  onProgress: (line: string) => void
}

export type SiteSummary = {
  to: string
  pages: number
  files: number
  bytes: number
  episodesLeftOut: number
  seconds: number
}

/**
 * Writes the board as files that any file server can serve, whole or not at all: its pages, the files of its episodes, the
 * archive that the numbers rest on, and a page that checks all of it. The same data gives the same bytes.
 */
export async function exportSite(to: string, options: ExportSiteOptions): Promise<SiteSummary> {
  const startedAt = performance.now()
  const target = resolve(to)
  refuseForeign(target)
  const draft = draftOf(target)
  try {
    mkdirSync(draft, { recursive: true })
    const filled = await fillDraft(draft, options)
    const files = listFiles(draft)
    replaceFolder(target, draft)
    return {
      to: target,
      ...filled,
      files: files.length,
      bytes: files.reduce((sum, path) => sum + statSync(join(target, path)).size, 0),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** A folder that is not ours is never replaced. */
function refuseForeign(target: string): void {
  const names = listTarget(target, '--static')
  if (names.length === 0) return
  const isOurs =
    names.includes(COPY_MANIFEST) &&
    parseCopyManifest(readFileSync(join(target, COPY_MANIFEST), 'utf8')) !== null
  if (isOurs) return
  const message = `${target} is not empty and not an earlier export: nothing was written; choose another --static`
  throw new AppError('conflict', message)
}

async function fillDraft(
  draft: string,
  options: ExportSiteOptions,
): Promise<Pick<SiteSummary, 'pages' | 'episodesLeftOut'>> {
  const { dataDir, publicUrl: original } = env()
  await exportArchive(dataDir, join(draft, COPY_ARCHIVE))
  const archive = readDraft(join(draft, COPY_ARCHIVE))
  const last = archive.entries?.at(-1)
  if (!last) throw new AppError('conflict', 'nothing was exported: the ledger is empty')
  const episodeIds = chooseEpisodes(archive, options.maxEpisodes)
  const input: SiteInput = {
    ...describeSite(archive),
    read: await readStored(dataDir),
    libraryFactsOf: await readFactsOf(archive),
    episodeIds,
    copy: { at: last.at, original },
  }
  const pages = await writePages(draft, input, options)
  // GitHub Pages would leave out folders whose name begins with an underscore.
  writeFileSync(join(draft, '.nojekyll'), '')
  writeManifest(draft, { at: last.at, original, ledger: last, dataDir })
  const all = archive.runs.reduce((sum, { episodes }) => sum + episodes.length, 0)
  return { pages, episodesLeftOut: all - episodeIds.size }
}

/** The archive as it was just written. */
function readDraft(folder: string): Archive {
  const texts = new Map(
    listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  const { currentSuites } = manifestSchema.parse(JSON.parse(texts.get('manifest.json') ?? '{}'))
  return readArchive(texts, currentSuites).archive
}

function describeSite(archive: Archive): Omit<SiteInput, 'read' | 'copy' | 'libraryFactsOf'> {
  const { suites, runs, current, entries } = archive
  const boards = suites
    .map((suite) => rebuildBoard(archive, suite))
    .filter(({ suite, rows }) => rows.length > 0 || current.get(suite.suiteId) === suite.digest)
    .sort((a, b) => order(a, current) - order(b, current))
  const rows = boards.flatMap((board) => board.rows)
  const ledger = applyLedger(entries ?? [])
  return {
    boards,
    suites,
    runs,
    provenanceOf: (runId) =>
      rows.find(({ runIds }) => runIds.includes(runId))?.provenance ?? 'manual',
    correctionsOf: (targets) => correctionNotes(ledger, targets),
    statusOf: ({ episodeId, outcome: { status } }) =>
      correctedStatus({ episodeId, status }, ledger),
    methodologyText,
    version: readVersion(),
  }
}

async function readFactsOf({ suites }: Archive): Promise<(suiteId: string) => LibraryFacts | null> {
  const facts = new Map<string, LibraryFacts | null>()
  for (const { suiteId } of suites) facts.set(suiteId, await getLibraryFacts(suiteId))
  return (suiteId) => facts.get(suiteId) ?? null
}

/** Current versions come first, and of them those with the most entries. */
function order({ suite, rows }: Board, current: Archive['current']): number {
  return (current.get(suite.suiteId) === suite.digest ? 0 : 1e9) - rows.length
}

function readVersion(): string | null {
  const { version } = JSON.parse(readFileSync(join(env().root, 'package.json'), 'utf8'))
  return typeof version === 'string' ? version : null
}

function chooseEpisodes({ runs }: Archive, max: number): ReadonlySet<string> {
  const latest = [...runs].reverse().flatMap(({ episodes }) => episodes)
  return new Set(latest.slice(0, max).map(({ episodeId }) => episodeId))
}

/** Reads evidence where this server stores it. */
async function readStored(dataDir: string): Promise<ReadEvidence> {
  const { episodes } = await readServer(dataDir)
  const directories = new Map(
    episodes.map(({ episode, directory }) => [episode.episodeId, directory]),
  )
  const store = evidenceStore(dataDir)
  return async ({ episodeId }, file, limit) => {
    const ref = evidenceRef(directories.get(episodeId) ?? null, file)
    const reader = ref && (await store.open(ref))
    if (!reader) return { state: 'missing', bytes: new Uint8Array() }
    try {
      const bytes = await reader.read(Buffer.alloc(Math.min(reader.sizeBytes, limit)), 0)
      if (reader.sizeBytes > limit) return { state: 'cut', bytes }
      return { state: digestBytes(bytes) === file.digest ? 'whole' : 'changed', bytes }
    } finally {
      await reader.close()
    }
  }
}

const PROGRESS_FILES = 250

async function writePages(
  draft: string,
  input: SiteInput,
  { maxFiles, maxBytes, onProgress }: ExportSiteOptions,
): Promise<number> {
  const refuse = (what: string, option: string) => {
    const message = `nothing was exported: the copy would have more than ${what}; raise ${option}, or lower --episodes`
    throw new AppError('invalid-request', message)
  }
  const { openSite, assets } = await loadSite()
  const site = openSite(input)
  if (site.paths.length > maxFiles) refuse(countOf(maxFiles, 'file'), '--max-files')
  const { pages } = await writeSite(site, assets, draft, ({ files, bytes }) => {
    if (bytes > maxBytes) refuse(`${Math.round(maxBytes / 1e6)} MB`, '--max-size')
    if (files % PROGRESS_FILES === 0)
      onProgress(`${files} of ${countOf(site.paths.length, 'file')}`)
  })
  return pages
}

type Head = Pick<LedgerEntry, 'sequence' | 'hash'>

function writeManifest(
  draft: string,
  {
    at,
    original,
    ledger: { sequence, hash },
    dataDir,
  }: { at: string; original: string; ledger: Head; dataDir: string },
): void {
  const files = listFiles(draft).map((path) => {
    const bytes = readFileSync(join(draft, path))
    return { path, bytes: bytes.length, digest: digestBytes(bytes) }
  })
  const body = describeCopy({ at, original, ledger: { sequence, hash }, files })
  const manifest = { ...body, ...signText(copySignedText(body), dataDir) }
  writeFileSync(join(draft, COPY_MANIFEST), canonicalJson(manifest))
}
