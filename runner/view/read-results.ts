import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { buildResultRows, type ResultRow } from '#lib/domain/board/index.ts'
import {
  type AnyBundle,
  type AnyEpisode,
  digestBytes,
  type EvidenceFile,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { LONGEST_SHOWN } from './limits.ts'

export type ReadBundle = { file: string; bundle: AnyBundle }

/** An episode with the folder that may have its evidence; null = no folder of its run is here. */
export type ViewedEpisode = { episode: AnyEpisode; folder: string | null }

export type ViewedResults = {
  rows: readonly ResultRow[]
  episodes: ReadonlyMap<string, ViewedEpisode>
  suites: readonly Suite[]
}

/** Everything that the pages show; evidence stays on disk until it is asked for. */
export function viewResults(
  bundles: readonly ReadBundle[],
  suites: readonly Suite[],
): ViewedResults {
  const episodes = bundles.flatMap(({ file, bundle }) =>
    bundle.episodes.map(
      (episode) => [episode.episodeId, { episode, folder: evidenceFolder(file, episode) }] as const,
    ),
  )
  const rows = buildResultRows(
    bundles.map(({ bundle }) => bundle),
    {
      provenance: 'local',
      findSuite: (suiteId, digest) =>
        suites.find((suite) => suite.suiteId === suiteId && suite.digest === digest) ?? null,
    },
  )
  const sorted = [...rows].sort(
    ({ row: a }, { row: b }) => (b.success.rate ?? -1) - (a.success.rate ?? -1),
  )
  return { rows: sorted, episodes: new Map(episodes), suites }
}

function evidenceFolder(file: string, episode: AnyEpisode): string | null {
  const run = new RunFolder(dirname(resolve(file)))
  const { taskId, repetition, attempt } = episode
  const folder = join(run.path, run.attemptPath(taskId, repetition, attempt))
  return existsSync(folder) && isBelow(folder, run.path) ? realpathSync(folder) : null
}

export type FileState = 'whole' | 'cut' | 'changed' | 'missing'
export type ReadFile = { state: FileState; bytes: Buffer }

/**
 * A file of evidence that the envelope names, and whether it has the bytes that were sealed. Nothing else can be asked
 * for, and a link that leads out of the attempt's folder is as good as no file.
 */
export function readEvidence(
  { folder }: ViewedEpisode,
  file: EvidenceFile,
  most: number = LONGEST_SHOWN,
): ReadFile {
  const missing = { state: 'missing', bytes: Buffer.alloc(0) } as const
  if (folder === null) return missing
  const path = join(folder, file.path)
  if (!existsSync(path) || !isBelow(path, folder)) return missing
  const found = statSync(path)
  if (!found.isFile()) return missing
  const bytes = readStart(path, Math.min(found.size, most))
  if (found.size > most) return { state: 'cut', bytes }
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
