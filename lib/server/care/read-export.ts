import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import {
  type Archive,
  BACKUP_KIND,
  type Flaw,
  type Manifest,
  manifestSchema,
  readArchive,
} from '../../domain/archive/index.ts'
import { digestBytes } from '../../domain/digest/index.ts'
import {
  BUNDLE_KIND,
  parseAnyBundle,
  parseAnyEpisode,
  runOfBundle,
  type SubmittedRun,
} from '../../domain/record/index.ts'
import { formatIssues, parseJson, problemLines } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { checkArchivedEvidence, EVIDENCE_FOLDER, EXPORT_MANIFEST } from './archive-evidence.ts'
import { listFiles } from './list-files.ts'
import type { Server } from './parse-rows.ts'
import { readUtf8File } from './read-utf8-file.ts'

export type ReadExport = { archive: Archive; flaws: Flaw[]; texts: ReadonlyMap<string, string> }

/** Reads an exported archive; compares every file with the manifest and parses it again. */
export function readExport(folder: string): ReadExport {
  const manifest = readManifest(folder)
  const flaws: Flaw[] = []
  const texts = readListed(folder, manifest, flaws)
  const read = readArchive(texts, manifest.currentSuites)
  return {
    archive: read.archive,
    flaws: [...flaws, ...read.flaws, ...checkArchivedEvidence(folder, texts)],
    texts,
  }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, EXPORT_MANIFEST)
  if (!existsSync(file)) {
    const message = `${folder} is not an archive: it has no ${EXPORT_MANIFEST}; make one with proofboard server board export`
    throw new AppError('invalid-request', message)
  }
  const value = parseJson(readUtf8File(file))
  if (backupSchema.safeParse(value).success) {
    const message = `${folder} is a backup, not an archive: restore it with proofboard server backup restore ${folder} --into <new folder>, and name that folder`
    throw new AppError('invalid-request', message)
  }
  const parsed = manifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const lines = problemLines(formatIssues(parsed.error.issues), 3)
  throw new AppError('invalid-request', `${file} cannot be read: ${lines.join('; ')}`)
}

const backupSchema = z.object({ kind: z.literal(BACKUP_KIND) })

function readListed(folder: string, { files }: Manifest, flaws: Flaw[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { path, digest, bytes } of files) {
    const file = join(folder, path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      flaws.push({ place: path, problem: 'is missing' })
      continue
    }
    const text = readUtf8File(file)
    if (digestBytes(text) !== digest || Buffer.byteLength(text) !== bytes)
      flaws.push({ place: path, problem: 'is not the file that the manifest names' })
    texts.set(path, text)
  }
  for (const path of listFiles(folder)) {
    if (path === EXPORT_MANIFEST || texts.has(path) || path.startsWith(`${EVIDENCE_FOLDER}/`))
      continue
    flaws.push({ place: path, problem: 'is not in the manifest' })
  }
  return texts
}

/**
 * Reads runs without a ledger: a `result.json`, a run folder, or a folder of either. Bundles that cannot be read
 * completely are reported as flaws. Throws an AppError when there is none.
 */
export function readRunFolders(path: string): { runs: SubmittedRun[]; flaws: Flaw[] } {
  const places = listPlaces(path)
  if (places.length === 0) {
    const message = `${path} contains no archive (manifest.json), no database (proofboard.db) and no run (result.json)`
    throw new AppError('not-found', message)
  }
  const runs: SubmittedRun[] = []
  const flaws: Flaw[] = []
  for (const place of places) {
    const parsed = parseAnyBundle(readBundle(place))
    if (parsed.ok) runs.push(runOfBundle(parsed.value))
    else flaws.push({ place, problem: problemLines(parsed.problems, 3).join('; ') })
  }
  return { runs, flaws }
}

function listPlaces(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile() || isRunFolder(path)) return [path]
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((place) => place.endsWith('.json') || isRunFolder(place))
}

function isRunFolder(path: string): boolean {
  return existsSync(join(path, 'result.json')) || existsSync(join(path, 'plan.json'))
}

/** Reads the bundle of a run, or builds it from plan and envelopes for an interrupted run, which has none. */
function readBundle(place: string): unknown {
  if (statSync(place).isFile()) return readJson(place)
  const result = join(place, 'result.json')
  if (existsSync(result)) return readJson(result)
  const episodes = listEnvelopes(place).map(readJson)
  const first = (episodes[0] ?? {}) as Record<string, unknown>
  return {
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId: first.runId ?? basename(place),
    plan: readJson(join(place, 'plan.json')),
    lock: first.environment,
    shard: { index: 1, count: 1 },
    episodes,
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readUtf8File(file))
  } catch (error) {
    if (error instanceof AppError) throw error
    return undefined
  }
}

/**
 * Lists differences between the folders of sealed runs and the database: an episode under another seal, or one not
 * stored. Folders may be missing, since the database is sufficient; existing ones must agree.
 */
export function checkFolders({ dataDir, episodes, archive }: Server): Flaw[] {
  const seals = new Map(episodes.map(({ episode }) => [episode.episodeId, episode.seal]))
  const sealed = (archive.entries ?? []).flatMap(({ action }) =>
    action.kind === 'seal-run' ? action.target : [],
  )
  return [...new Set(sealed)].flatMap((runId) =>
    listEnvelopes(join(dataDir, 'runs', runId)).flatMap((file) => checkFile(file, seals)),
  )
}

function checkFile(file: string, seals: ReadonlyMap<string, string>): Flaw[] {
  const episode = readEpisode(file)
  if (!episode) return []
  const { episodeId, seal } = episode
  const place = `episode ${episodeId}`
  const known = seals.get(episodeId)
  if (known === seal) return []
  if (known) return [{ place, problem: 'its run folder has it under another seal' }]
  return [
    {
      place,
      problem:
        'its run folder has it, and the database does not: the server imports it when it starts',
    },
  ]
}

/** Returns null for a damaged file, which proves nothing against the database. */
function readEpisode(file: string) {
  try {
    const parsed = parseAnyEpisode(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.ok ? parsed.value : null
  } catch {
    return null
  }
}

/** Lists every `episode.json` of a run folder by path. */
function listEnvelopes(runFolder: string): string[] {
  const folder = join(runFolder, 'episodes')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[/\\])episode\.json$/.test(path))
    .sort()
    .map((path) => join(folder, path))
}
