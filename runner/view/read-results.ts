import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { ReadFile, SiteInput } from '#components/site/site-input.ts'
import { type Board, boardOfResults } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  type AnyBundle,
  type AnyEpisode,
  type EvidenceFile,
  type Provenance,
  runOfBundle,
  type SubmittedRun,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

const METHODOLOGY = join(PROJECT_ROOT, 'lib/domain/reports/methodology/pages')

export type ReadBundle = { file: string; bundle: AnyBundle }

type Results = {
  bundles: readonly ReadBundle[]
  /** Those that are here in the version of the results. */
  suites: readonly Suite[]
  provenance: Provenance
}

/** Everything that the pages of results show; evidence stays on disk until a page needs it. */
export function siteOfResults({ bundles, suites, provenance }: Results): SiteInput {
  const runs = bundles.map(({ bundle }) => runOfBundle(bundle))
  const digests = [...new Set(runs.map(({ plan }) => plan.suiteDigest))]
  const boards = digests.map((digest) => {
    const own = runs.filter(({ plan }) => plan.suiteDigest === digest)
    return boardOfResults(own, suites.find((suite) => suite.digest === digest) ?? null, provenance)
  })
  const files = bundles.flatMap(({ file, bundle }) =>
    bundle.episodes.map(({ episodeId }) => [episodeId, file] as const),
  )
  const fileOf = new Map(files)
  return {
    boards: boards.sort((a, b) => b.rows.length - a.rows.length || byName(a, b)),
    suites: suites.filter(({ digest }) => digests.includes(digest)),
    runs: joinShards(runs),
    provenanceOf: () => provenance,
    read: async (episode, file, limit) =>
      readEvidence(evidenceFolder(fileOf.get(episode.episodeId) ?? '', episode), file, limit),
    version: runnerVersion(),
    methodologyText: (name) => readFileSync(join(METHODOLOGY, `${name}.md`), 'utf8'),
    copy: null,
  }
}

/** The shards of a run are one run. */
function joinShards(runs: readonly SubmittedRun[]): SubmittedRun[] {
  const joined = new Map<string, SubmittedRun>()
  for (const run of runs) {
    const before = joined.get(run.runId)
    const episodes = [...(before?.episodes ?? []), ...run.episodes]
    joined.set(run.runId, before ? { ...run, shard: null, episodes } : run)
  }
  return [...joined.values()]
}

function byName({ suite: a }: Board, { suite: b }: Board): number {
  return `${a.suiteId} ${a.digest}` < `${b.suiteId} ${b.digest}` ? -1 : 1
}

/** The folder of an attempt beside the result; null = it is not there. */
function evidenceFolder(file: string, episode: AnyEpisode): string | null {
  const run = new RunFolder(dirname(resolve(file)))
  const { taskId, repetition, attempt } = episode
  const folder = join(run.path, run.attemptPath(taskId, repetition, attempt))
  return existsSync(folder) && isBelow(folder, run.path) ? realpathSync(folder) : null
}

const MISSING: ReadFile = { state: 'missing', bytes: new Uint8Array() }

/**
 * A file of evidence that the envelope names, and whether it has the bytes that were sealed. A link that leads out of the
 * attempt's folder counts as missing.
 */
function readEvidence(folder: string | null, file: EvidenceFile, limit: number): ReadFile {
  if (folder === null) return MISSING
  const path = join(folder, file.path)
  if (!existsSync(path) || !isBelow(path, folder)) return MISSING
  const found = statSync(path)
  if (!found.isFile()) return MISSING
  const bytes = readStart(path, Math.min(found.size, limit))
  if (found.size > limit) return { state: 'cut', bytes }
  return { state: digestBytes(bytes) === file.digest ? 'whole' : 'changed', bytes }
}

function isBelow(path: string, folder: string): boolean {
  return realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`)
}

function readStart(path: string, length: number): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, 0))
  } finally {
    closeSync(descriptor)
  }
}
