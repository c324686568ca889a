import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import {
  type Archive,
  type ArchivedRun,
  type Flaw,
  type Manifest,
  manifestSchema,
} from '#lib/domain/archive/archive.ts'
import { parseLedger } from '#lib/domain/archive/ledger-document.ts'
import { rebuildBoard } from '#lib/domain/archive/rebuild-board.ts'
import { serializeBoard } from '#lib/domain/board/serialize-board.ts'
import { type Bundle, parseBundle } from '#lib/domain/bundle.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { type Evaluation, evaluationSchema } from '#lib/domain/evaluation/evaluation.ts'
import { formatIssues, problemLines } from '#lib/domain/problem.ts'
import { type Suite, suiteSchema } from '#lib/domain/suite.ts'
import { AppError } from '#lib/errors.ts'
import { checkEvidence, EVIDENCE_FOLDER } from './archive-evidence.ts'
import { readTextFile } from './read-text-file.ts'

export type Exported = { archive: Archive; flaws: Flaw[]; texts: ReadonlyMap<string, string> }

export const MANIFEST = 'manifest.json'
/** Of a run: what judging its solutions on the server gave. */
export const EVALUATIONS_FILE = 'evaluations.json'

/** Reads an exported archive; every file is held against the manifest and parsed anew. */
export function readExport(folder: string): Exported {
  const manifest = readManifest(folder)
  const flaws: Flaw[] = []
  const texts = readListed(folder, manifest, flaws)
  const suites: Suite[] = []
  const runs: ArchivedRun[] = []
  for (const [path, text] of texts) {
    if (path.startsWith('suites/')) {
      const parsed = suiteSchema.safeParse(parseJson(text))
      if (parsed.success) suites.push(parsed.data)
      else flaws.push({ place: path, problem: 'is not a suite' })
    } else if (path.endsWith('/result.json')) {
      const parsed = parseBundle(parseJson(text))
      if (parsed.ok) runs.push(archiveBundle(parsed.value))
      else flaws.push({ place: path, problem: problemLines(parsed.problems, 3).join('; ') })
    }
  }
  const evaluations = readEvaluations(texts, flaws)
  const ledger = parseLedger(texts.get('ledger.json') ?? '')
  const current = new Map(Object.entries(manifest.currentSuites))
  const archive = { suites, current, runs, evaluations, entries: ledger.entries }
  return { archive, flaws: [...flaws, ...ledger.flaws, ...checkEvidence(folder, texts)], texts }
}

function readEvaluations(texts: ReadonlyMap<string, string>, flaws: Flaw[]): Evaluation[] {
  return [...texts].flatMap(([path, text]) => {
    if (!path.endsWith(`/${EVALUATIONS_FILE}`)) return []
    const parsed = evaluationSchema.array().safeParse(parseJson(text))
    if (!parsed.success) flaws.push({ place: path, problem: 'holds no evaluations' })
    return parsed.data ?? []
  })
}

/** Whether the exported boards are what the exported artifacts give. */
export function checkBoardFiles({ archive, texts }: Exported): Flaw[] {
  return archive.suites.flatMap((suite) => {
    if (archive.current.get(suite.suiteId) !== suite.digest) return []
    const place = `leaderboard/${suite.suiteId}.json`
    if (texts.get(place) === serializeBoard(rebuildBoard(archive, suite))) return []
    return [{ place, problem: 'is not what the archive gives' }]
  })
}

/** A bundle as a part of an archive. */
export function archiveBundle({ runId, plan, shard, episodes }: Bundle): ArchivedRun {
  return { runId, plan, shard: shard.count > 1 ? shard : null, episodes }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST)
  if (!existsSync(file)) {
    const message = `${folder} is not an archive: it has no ${MANIFEST}; make one with proofboard board export`
    throw new AppError('invalid-request', message)
  }
  const parsed = manifestSchema.safeParse(parseJson(readTextFile(file)))
  if (parsed.success) return parsed.data
  const lines = problemLines(formatIssues(parsed.error.issues), 3)
  throw new AppError('invalid-request', `${file} cannot be read: ${lines.join('; ')}`)
}

function readListed(folder: string, { files }: Manifest, flaws: Flaw[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { path, digest, bytes } of files) {
    const file = join(folder, path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      flaws.push({ place: path, problem: 'is missing' })
      continue
    }
    const text = readTextFile(file)
    if (digestBytes(text) !== digest || Buffer.byteLength(text) !== bytes)
      flaws.push({ place: path, problem: 'is not the file that the manifest names' })
    texts.set(path, text)
  }
  for (const path of listFiles(folder)) {
    if (path === MANIFEST || texts.has(path) || path.startsWith(`${EVIDENCE_FOLDER}/`)) continue
    flaws.push({ place: path, problem: 'is not in the manifest' })
  }
  return texts
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.split(sep).join('/'))
    .sort()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
