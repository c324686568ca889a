import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'
import { episodeFact } from '#lib/domain/board/episode-fact.ts'
import type { Bundle } from '#lib/domain/bundle.ts'
import { parseBundle } from '#lib/domain/bundle.ts'
import { type PastEpisode, pastEpisode } from '#lib/domain/planner/past-episode.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { UsageError } from './cli-error.ts'
import { defaultOut } from './open-suite.ts'
import { complain } from './output.ts'
import { readJsonFile } from './read-plan.ts'
import { listResultFiles, readBundle } from './read-results.ts'

/** What earlier results on a suite tell a planner: what episodes took, and rows of the suite's present version. */
export type Past = { episodes: PastEpisode[]; rows: BoardRow[]; results: number }

/**
 * Reads the results that were named, else those in the data folder. A named one that is not whole is refused; one that
 * merely lies in the data folder is left out and told.
 */
export function readPast(paths: readonly string[] | null, suite: Suite): Past {
  const bundles = paths ? readNamed(paths, suite.suiteId) : readKept(suite.suiteId)
  const present = bundles.filter(({ plan }) => plan.suiteDigest === suite.digest)
  const facts = present.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'local')))
  const runs = present.map(({ runId, plan, shard }) => ({ runId, plan, shard }))
  return {
    episodes: bundles.flatMap(({ episodes }) => episodes.flatMap((one) => pastEpisode(one) ?? [])),
    rows: buildBoard({ suite, facts, runs }).rows,
    results: bundles.length,
  }
}

function readNamed(paths: readonly string[], suiteId: string): Bundle[] {
  const bundles = paths.flatMap((path) => {
    const files = listResultFiles(path)
    if (files.length === 0) throw new UsageError(`${path} contains no result.json`)
    return files.map(readBundle)
  })
  const other = bundles.find(({ plan }) => plan.suiteId !== suiteId)
  if (other) {
    throw new UsageError(
      `${other.runId} is a run of suite ${other.plan.suiteId}, not of ${suiteId}: remove it from --past`,
    )
  }
  return bundles
}

const aboutSchema = z.object({ plan: z.object({ suiteId: z.string() }) })

function readKept(suiteId: string): Bundle[] {
  const folder = dirname(defaultOut('run'))
  if (!existsSync(folder)) return []
  return listResultFiles(folder).flatMap((file) => {
    const input = readQuietly(file)
    const about = aboutSchema.safeParse(input)
    if (about.success && about.data.plan.suiteId !== suiteId) return []
    const parsed = parseBundle(input)
    if (parsed.ok) return [parsed.value]
    complain(`ignored: ${file} is not a complete result`)
    return []
  })
}

function readQuietly(file: string): unknown {
  try {
    return readJsonFile(file)
  } catch {
    return null
  }
}
