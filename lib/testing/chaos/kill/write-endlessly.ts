import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '#lib/db/open-db.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { SAMPLE_RUN_ID, sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { ENVELOPE_FILE, readSealed, seal } from '#runner/engine/envelopes.ts'
import { Journal } from '#runner/engine/journal.ts'
import { RunFolder } from '#runner/engine/run-folder.ts'

const WARM_ROUNDS = 4

/**
 * Repeats what runner and worker do at the end of each attempt until it is killed: journal, envelope, journal,
 * database. Prints how many ms a round takes once warm, and continues.
 */
export async function main([out = '', database = '']: readonly string[]): Promise<void> {
  const folder = new RunFolder(out)
  mkdirSync(folder.episodesPath, { recursive: true })
  const journal = new Journal(folder.journalPath)
  const db = openDb(database)
  await db.episode.count()
  const plan = samplePlan()
  let attempt = Math.max(0, ...readSealed(folder).map((episode) => episode.attempt))
  for (let round = 1; ; round++) {
    const start = performance.now()
    attempt += 1
    const named = { taskId: 'alpha', repetition: 1, attempt }
    const at = new Date().toISOString()
    const path = folder.attemptPath(named.taskId, named.repetition, attempt)
    mkdirSync(join(folder.path, path), { recursive: true })
    journal.append({ at, event: 'attempt-started', ...named })
    const { seal: _, ...body } = sampleEpisode({ runId: SAMPLE_RUN_ID, ...named }, plan)
    await seal(body, join(folder.path, path))
    journal.append({ at, event: 'attempt-sealed', ...named })
    const receipt = { provenance: 'local', directory: path, receivedAt: new Date() } as const
    const text = readFileSync(join(folder.path, path, ENVELOPE_FILE), 'utf8')
    await saveEpisode(db, text, receipt)
    if (round === WARM_ROUNDS) process.stdout.write(`${performance.now() - start}\n`)
  }
}
