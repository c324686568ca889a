import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import {
  type Archive,
  COPY_ARCHIVE,
  COPY_MANIFEST,
  copySignedText,
  describeCopy,
  manifestSchema,
  parseCopyManifest,
  readArchive,
} from '#lib/domain/archive/index.ts'
import type { LedgerEntry } from '#lib/domain/ledger/index.ts'
import { canonicalJson, countOf, digestBytes, isLoopback } from '#lib/domain/record/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { draftOf } from '../care/draft-folder.ts'
import { exportArchive } from '../care/export-archive.ts'
import { signText } from '../care/ledger-heads.ts'
import { listTarget } from '../care/list-target.ts'
import { listFiles } from './check-folder.ts'
import { type Crawled, crawlSite } from './crawl-site.ts'
import { checkPage, missingPage, notHerePage } from './own-pages.ts'
import { replaceFolder } from './replace-folder.ts'
import { rewritePage } from './rewrite-page.ts'
import { OWN_PAGES } from './site-address.ts'
import { openSnapshot } from './snapshot.ts'

/** Starts the production web server for this command alone. */
export type StartSite = (
  env: Record<string, string>,
) => Promise<{ url: string; stop: () => Promise<void> }>

export type ExportSiteOptions = {
  startSite: StartSite
  mostFiles: number
  mostBytes: number
  mostEpisodes: number
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

/** What no page links to, and a copy has all the same. */
const SEEDS = [
  ...['/', '/llms.txt', '/icon.svg', '/audit', '/history', '/api-reference'],
  ...['openapi.json', 'suites', 'runs', 'schemas', 'methodology', 'reports'].map(ofApi),
  ...['ledger', 'ledger.json', 'ledger/head', 'ledger/key'].map(ofApi),
]

function ofApi(path: string): string {
  return `/api/v1/${path}`
}

/**
 * Writes the public site as files that any file server can serve, whole or not at all: pages as an anonymous visitor
 * gets them from the production build, the answers of the API that they link to, the archive that the numbers rest on,
 * and a page that checks all of it. The same data and build give the same bytes.
 */
export async function exportSite(to: string, options: ExportSiteOptions): Promise<SiteSummary> {
  const startedAt = performance.now()
  const target = resolve(to)
  refuseForeign(target)
  const draft = draftOf(target)
  try {
    mkdirSync(draft, { recursive: true })
    const crawled = await fillDraft(draft, options)
    const files = listFiles(draft)
    replaceFolder(target, draft)
    return {
      to: target,
      pages: [...crawled.files.values()].filter(({ isPage }) => isPage).length,
      files: files.length,
      bytes: files.reduce((sum, path) => sum + statSync(join(target, path)).size, 0),
      episodesLeftOut: crawled.episodesLeftOut,
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

async function fillDraft(draft: string, options: ExportSiteOptions): Promise<Crawled> {
  const { dataDir, publicUrl, root } = env()
  const snapshot = await openSnapshot(dataDir)
  try {
    await exportArchive(snapshot.dataDir, join(draft, COPY_ARCHIVE))
    const archive = readDraft(join(draft, COPY_ARCHIVE))
    const { entries } = archive
    const last = entries?.at(-1)
    if (!last) throw new AppError('conflict', 'nothing was exported: the ledger is empty')
    const crawled = await crawlSnapshot(draft, { ...options, at: last.at, ...snapshot, archive })
    cpSync(join(root, '.next', 'static'), join(draft, '_next', 'static'), { recursive: true })
    rewritePages(draft, crawled, publicUrl)
    await writeOwnFiles(draft, { crawled, at: last.at, original: publicUrl })
    writeManifest(draft, { at: last.at, original: publicUrl, ledger: last, dataDir })
    return crawled
  } finally {
    snapshot.close()
  }
}

/** The archive as it was just written. */
function readDraft(folder: string): Archive {
  const texts = new Map(
    listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  const { currentSuites } = manifestSchema.parse(JSON.parse(texts.get('manifest.json') ?? '{}'))
  return readArchive(texts, currentSuites).archive
}

async function crawlSnapshot(
  draft: string,
  {
    startSite,
    onProgress,
    at,
    dataDir,
    archive,
    ...limits
  }: ExportSiteOptions & { at: string; dataDir: string; archive: Archive },
): Promise<Crawled> {
  const { publicUrl } = env()
  const site = await startSite({
    PROOFBOARD_DATA_DIR: dataDir,
    // The copy is a file, whatever the board's own database is.
    DATABASE_URL: '',
    PROOFBOARD_URL: publicUrl,
    PROOFBOARD_STATIC_COPY: at,
    PROOFBOARD_READS_PER_MINUTE: '0',
    PROOFBOARD_LOG_LEVEL: 'error',
  }).catch((cause: Error) => {
    throw new AppError('conflict', `nothing was exported: ${cause.message}`, { cause })
  })
  let reported = 0
  const tell = (done: number, waiting: number) => {
    if (done < reported + PROGRESS_STEP) return
    reported = done
    onProgress(`${countOf(done, 'file')}, ${waiting} known to follow`)
  }
  try {
    const places = { url: site.url, publicUrl, to: draft, seeds: listSeeds(archive) }
    return await crawlSite({ ...limits, ...places, rolesOf: listRoles(archive), onProgress: tell })
  } finally {
    await site.stop()
  }
}

const PROGRESS_STEP = 250

function listSeeds({ current }: Archive): string[] {
  const ofSuites = [...current.keys()]
    .sort()
    .flatMap((suite) => [
      `/?suite=${suite}`,
      ...[`leaderboard?suite=${suite}`, `suites/${suite}`, `suites/${suite}/tasks`].map(ofApi),
    ])
  return [...SEEDS, ...ofSuites]
}

function listRoles({ runs }: Archive): (episodeId: string) => string[] {
  const episodes = runs.flatMap((run) => run.episodes)
  const roles = new Map(
    episodes.map(({ episodeId, evidence }) => [episodeId, evidence.map(({ role }) => role)]),
  )
  return (episodeId) => [...new Set(roles.get(episodeId))].sort()
}

/** Where every address is, those included that only lead to another. */
function addressBook({ files, moved }: Crawled): Map<string, string> {
  const book = new Map<string, string>(Object.entries(OWN_PAGES))
  for (const [address, { file }] of files) book.set(address, file)
  for (const from of moved.keys()) {
    const file = files.get(followMoves(from, moved))?.file
    if (file !== undefined) book.set(from, file)
  }
  return book
}

function followMoves(from: string, moved: ReadonlyMap<string, string>): string {
  let address = from
  for (let steps = 0; steps < MAX_MOVES; steps++) address = moved.get(address) ?? address
  return address
}

const MAX_MOVES = 5

function rewritePages(draft: string, crawled: Crawled, publicUrl: string): void {
  const book = addressBook(crawled)
  const origins = [new URL(publicUrl).origin]
  for (const [address, { file, isPage, policy }] of crawled.files) {
    if (!isPage) continue
    const path = join(draft, file)
    const place = { address, file, origins, find: (wanted: string) => book.get(wanted) ?? null }
    writeFileSync(path, rewritePage(readFileSync(path, 'utf8'), policy, place))
  }
}

type Own = { crawled: Crawled; at: string; original: string }

async function writeOwnFiles(draft: string, { crawled, at, original }: Own): Promise<void> {
  const known = isLoopback(original) ? null : original
  const book = [...addressBook(crawled)].sort(([a], [b]) => (a < b ? -1 : 1))
  const files: Record<string, string> = {
    // GitHub Pages would leave out folders whose name begins with an underscore.
    '.nojekyll': '',
    '404.html': missingPage(at, known),
    'addresses.json': `${JSON.stringify(Object.fromEntries(book), null, 1)}\n`,
    'check/check.js': await bundleBrowser('check-page'),
    'static-copy.js': await bundleBrowser('static-copy'),
    [OWN_PAGES['/check']]: checkPage(at),
    [OWN_PAGES['/not-here']]: notHerePage(at, known),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    writeFileSync(join(draft, path), text)
  }
}

type Head = Pick<LedgerEntry, 'sequence' | 'hash'>

function writeManifest(
  draft: string,
  {
    at,
    original,
    ledger,
    dataDir,
  }: { at: string; original: string; ledger: Head; dataDir: string },
): void {
  const files = listFiles(draft).map((path) => {
    const bytes = readFileSync(join(draft, path))
    return { path, bytes: bytes.length, digest: digestBytes(bytes) }
  })
  const { sequence, hash } = ledger
  const body = describeCopy({ at, original, ledger: { sequence, hash: hash }, files })
  const manifest = { ...body, ...signText(copySignedText(body), dataDir) }
  writeFileSync(join(draft, COPY_MANIFEST), canonicalJson(manifest))
}

/** A program for a browser as one plain script, from its source in this folder: no module, so that a file may load it. */
async function bundleBrowser(name: 'static-copy' | 'check-page'): Promise<string> {
  const { root } = env()
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib/server/static/browser', `${name}.ts`)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
