import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ArchivedRun, Flaw } from '#lib/domain/archive/archive.ts'
import { BUNDLE_KIND, parseBundle } from '#lib/domain/bundle.ts'
import { problemLines } from '#lib/domain/problem.ts'
import { AppError } from '#lib/errors.ts'
import { listEnvelopes } from './check-folders.ts'
import { archiveBundle } from './read-export.ts'
import { readTextFile } from './read-text-file.ts'

/**
 * Runs without a ledger: a `result.json`, a run folder, or a folder of either. Every bundle is read whole or named as a
 * flaw. Throws an AppError when there is none.
 */
export function readRunFolders(path: string): { runs: ArchivedRun[]; flaws: Flaw[] } {
  const places = listPlaces(path)
  if (places.length === 0) {
    const message = `${path} holds no archive (manifest.json), no database (proofboard.db) and no run (result.json)`
    throw new AppError('not-found', message)
  }
  const runs: ArchivedRun[] = []
  const flaws: Flaw[] = []
  for (const place of places) {
    const parsed = parseBundle(readBundle(place))
    if (parsed.ok) runs.push(archiveBundle(parsed.value))
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

/** The bundle of a run; a run that was cut short has none, and is put together from its plan and envelopes. */
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
    return JSON.parse(readTextFile(file))
  } catch (error) {
    if (error instanceof AppError) throw error
    return undefined
  }
}
