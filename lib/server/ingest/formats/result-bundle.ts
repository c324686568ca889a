import { BUNDLE_KIND } from '../../../domain/record/index.ts'
import { AppError } from '../../../errors.ts'
import type { Format, IncomingEnvelope, IncomingRun } from '../format.ts'
import type { JsonDocument } from '../json/json-document.ts'
import { readDocument } from '../json/json-document.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'

/** Proofboard's `result.json`, of any version; also several of them as JSON Lines. */
export const resultBundleFormat: Format = {
  id: 'bundle',
  title: 'a result bundle',
  detect: (content) => content.kind === 'json' && content.documents.every(isBundle),
  *toRuns(content) {
    if (content.kind !== 'json') return
    const isAlone = content.documents.length === 1
    for (const [index, document] of content.documents.entries()) {
      yield bundleToRun(document, isAlone ? '' : `line ${index + 1}: `)
    }
  },
}

export function isBundle(document: JsonDocument): boolean {
  return document.has('kind') && document.member('kind') === BUNDLE_KIND
}

/** Converts a bundle to a run; `place` is the prefix of its episodes' paths. */
function bundleToRun(document: JsonDocument, place: string): IncomingRun {
  const episodes = document.outline.members.get('episodes')
  return {
    path: place,
    runId: document.member('runId'),
    plan: document.member('plan') ?? {},
    shard: document.member('shard'),
    rest: {
      schemaVersion: document.member('schemaVersion'),
      lock: document.member('lock'),
      episodes: episodes?.kind === 'array' ? [] : null,
    },
    envelopes: (episodes?.items ?? []).map((range, index) => ({
      path: `${place}episodes.${index}`,
      read: () => document.read(range),
      slot: null,
    })),
    findEvidence: null,
  }
}

/** Envelopes without a plan: one `episode.json`, a list of them, or one per line. Their run has to be stored here. */
export const episodeListFormat: Format = {
  id: 'episodes',
  title: 'episode envelopes',
  detect: (content) => content.kind === 'json' && content.documents.every(isEpisodeOrList),
  *toRuns(content) {
    if (content.kind !== 'json') return
    const { documents } = content
    const isAlone = documents.length === 1
    const envelopes = documents.flatMap((document, index) =>
      listEnvelopes(document, isAlone ? '' : `line ${index + 1}`),
    )
    const rest = null
    const absent = { runId: null, plan: null, shard: null }
    yield { path: '', ...absent, rest, envelopes, findEvidence: null }
  },
}

function isEpisodeOrList(document: JsonDocument): boolean {
  return document.outline.kind === 'array' || document.has('episodeId')
}

function listEnvelopes(document: JsonDocument, place: string): IncomingEnvelope[] {
  if (document.outline.kind === 'object')
    return [{ path: place || '(root)', read: () => document.read(), slot: null }]
  return document.outline.items.map((range, index) => ({
    path: place ? `${place}: ${index}` : `${index}`,
    read: () => document.read(range),
    slot: null,
  }))
}

const ENVELOPE = /^(.*?)episodes\/([^/]+)\/(r\d+-a\d+)\/episode\.json$/
const PLAN = /^(.*\/)?plan\.json$/
const BUNDLE = /^(.*\/)?[^/]+\.json$/
const NEVER_A_BUNDLE = /(^|\/)(plan|lock)\.json$|(^|\/)episodes\//

/**
 * A zip or tar with run folders as CI stores them, with evidence; also of bundles only, as `result-1.json` and so on.
 * The folder is searched at any depth, since archives are packed in different ways.
 */
export const runArchiveFormat: Format = {
  id: 'run-archive',
  title: 'an archive of run folders',
  detect: (content) =>
    content.kind === 'archive' &&
    [...content.files.keys()].some((path) => ENVELOPE.test(path) || BUNDLE.test(path)),
  async *toRuns(content) {
    if (content.kind !== 'archive') return
    const { files } = content
    const folders = groupEnvelopes(files)
    const read = new Set<string>()
    for (const path of [...files.keys()].sort()) {
      if (!BUNDLE.test(path) || NEVER_A_BUNDLE.test(path)) continue
      const run = await readBundle(path, files, folders)
      if (!run) continue
      read.add(run.folder)
      yield run.incoming
    }
    for (const [folder, envelopes] of folders) {
      if (!read.has(folder)) yield await readFolder(folder, envelopes, files)
    }
  },
}

type Folders = ReadonlyMap<string, IncomingEnvelope[]>

/** Groups envelopes in separate files by their run's folder (`a/b/`, or empty). */
function groupEnvelopes(files: ArchiveFiles): Folders {
  const folders = new Map<string, IncomingEnvelope[]>()
  for (const [path, file] of files) {
    const [, folder = '', taskId, attempt] = ENVELOPE.exec(path) ?? []
    if (taskId === undefined) {
      const plan = PLAN.exec(path)
      if (plan && !folders.has(plan[1] ?? '')) folders.set(plan[1] ?? '', [])
      continue
    }
    const envelopes = folders.get(folder) ?? []
    const read = () => readDocument(path, file).read()
    envelopes.push({ path, read, slot: `${taskId}/${attempt}` })
    folders.set(folder, envelopes)
  }
  return folders
}

/** Reads the run of a bundle, with the other files of its folder. Null = the file is not a bundle. */
async function readBundle(
  path: string,
  files: ArchiveFiles,
  folders: Folders,
): Promise<{ folder: string; incoming: IncomingRun } | null> {
  const file = files.get(path)
  const document = file && readIfJson(path, file)
  if (!document || !isBundle(document)) return null
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const bundle = bundleToRun(document, `${path}: `)
  const envelopes = [...bundle.envelopes, ...(folders.get(folder) ?? [])]
  return {
    folder,
    incoming: { ...bundle, envelopes, findEvidence: evidenceIn(folder, files) },
  }
}

/**
 * Returns null for a file that is not JSON, unless its name is that of a result: an artifact may contain other files.
 */
function readIfJson(path: string, file: StoredFile): JsonDocument | null {
  try {
    return readDocument(path, file)
  } catch (error) {
    if (error instanceof AppError && !/(^|\/)result[^/]*\.json$/.test(path)) return null
    throw error
  }
}

/** Assembles an interrupted run, which has no bundle, from its plan and its envelopes. */
async function readFolder(
  folder: string,
  envelopes: readonly IncomingEnvelope[],
  files: ArchiveFiles,
): Promise<IncomingRun> {
  const plan = files.get(`${folder}plan.json`)
  return {
    path: folder,
    runId: null,
    plan: plan ? readDocument(`${folder}plan.json`, plan).read() : null,
    shard: null,
    rest: null,
    envelopes,
    findEvidence: evidenceIn(folder, files),
  }
}

function evidenceIn(folder: string, files: ArchiveFiles): IncomingRun['findEvidence'] {
  return ({ taskId, repetition, attempt }, path): StoredFile | undefined =>
    files.get(`${folder}episodes/${taskId}/r${repetition}-a${attempt}/${path}`)
}
