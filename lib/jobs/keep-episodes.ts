import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Db } from '#lib/db/database.ts'
import { listKeptDirectories } from '#lib/db/episode-store.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { findRun, saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'

const RUN_ID = /^run_[0-9a-z]{8,40}$/
const log = createLog('episodes')

/** Keeps one sealed envelope from this server's own run folder. */
export async function keepEnvelope(db: Db, file: string): Promise<'saved' | 'duplicate'> {
  const directory = relative(env().dataDir, dirname(file))
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  return saveEpisode(db, await readFile(file, 'utf8'), receipt)
}

/** Catches up with every run folder; answers how many episodes were new. */
export async function keepAllRuns(db: Db): Promise<number> {
  const { runsDir } = env()
  let kept = 0
  for (const runId of await names(runsDir)) {
    if (!RUN_ID.test(runId)) continue
    try {
      kept += await keepRun(db, runId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn('a run folder is left out', { runId, code: error.code, reason: error.message })
    }
  }
  if (kept > 0) log.info('episodes found on disk', { kept })
  return kept
}

/** Keeps what one run folder holds and the database does not: sealed while nobody listened, or by hand. */
export async function keepRun(db: Db, runId: string): Promise<number> {
  const folder = join(env().runsDir, runId)
  const known = await listKeptDirectories(db, runId)
  const files = await listEnvelopes(folder)
  const fresh = files.filter((file) => !known.has(relative(env().dataDir, dirname(file))))
  if (fresh.length === 0) return 0
  await keepPlan(db, runId, folder)
  let kept = 0
  for (const file of fresh) {
    try {
      if ((await keepEnvelope(db, file)) === 'saved') kept++
    } catch (error) {
      // One bad file must not keep the others out; a database in trouble is no fault of the file.
      if (
        !(error instanceof AppError) ||
        !['invalid-episode', 'conflict', 'not-found'].includes(error.code)
      )
        throw error
      log.warn('an envelope is refused', { file, code: error.code, reason: error.message })
    }
  }
  return kept
}

async function keepPlan(db: Db, runId: string, folder: string): Promise<void> {
  if (await findRun(db, runId)) return
  const plan = parsePlan(await readJson(join(folder, 'plan.json')))
  await saveRun(db, { runId, plan, provenance: 'local', jobId: null }, new Date())
}

async function readJson(file: string): Promise<unknown> {
  if (!existsSync(file)) throw new AppError('not-found', `${file} is missing`)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new AppError('invalid-request', `${file} is not JSON`, { cause: error })
  }
}

async function listEnvelopes(folder: string): Promise<string[]> {
  const files: string[] = []
  for (const taskId of await names(join(folder, 'episodes'))) {
    for (const attempt of await names(join(folder, 'episodes', taskId))) {
      const file = join(folder, 'episodes', taskId, attempt, 'episode.json')
      if (existsSync(file)) files.push(file)
    }
  }
  return files
}

/** Sub-folders in order of their names; none when the folder is not there. */
async function names(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}
