import type { Db } from '#lib/db/open-db.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { DEMO_ROWS } from './demo-rows.ts'
import { demoRun } from './demo-run.ts'
import { demoSuite } from './demo-suite.ts'

/** Fills a database with the made-up suite `demo`: a row of every evidence label, and a row of an earlier version. */
export async function seedDemo(db: Db): Promise<void> {
  const [earlier, current] = [demoSuite(1), demoSuite(2)]
  const now = new Date('2026-11-03T00:00:00.000Z')
  await saveSuite(db, earlier, now)
  await saveSuite(db, current, now)
  for (const [place, row] of DEMO_ROWS.entries()) {
    const { runId, plan, episodes } = demoRun(row, place, row.old ? earlier : current)
    await saveRun(db, { runId, plan, provenance: 'token', jobId: null }, now)
    for (const episode of episodes) {
      const receipt = { provenance: 'token', directory: null, receivedAt: now } as const
      await saveEpisode(db, JSON.stringify(episode), receipt)
    }
    await sealRun(db, runId, now)
  }
  for (const suite of [earlier, current]) await refreshBoard(db, suite, now)
}
