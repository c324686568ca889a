import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/index.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { saveAllRuns } from './run-job.ts'

const kept = databaseForEach()

function writeRun(runId: string, episodes: readonly Episode[]): string {
  const folder = join(kept.dir, 'runs', runId)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(samplePlan()))
  for (const { taskId, attempt, repetition, ...rest } of episodes) {
    const place = join(folder, 'episodes', taskId, `r${repetition}-a${attempt}`)
    mkdirSync(place, { recursive: true })
    const text = JSON.stringify({ taskId, attempt, repetition, ...rest })
    writeFileSync(join(place, 'episode.json'), text)
  }
  return folder
}

it('a run folder that cannot be read does not keep the others from the board', async () => {
  const [first, second] = ['run_broken001', 'run_whole0002']
  // Like a folder of another user: its contents cannot be listed.
  writeFileSync(join(writeRun(first, []), 'episodes'), '')
  for (const [runId, plan] of [
    ['run_cutoff001', '{"schema'],
    ['run_noplan001', '{}'],
  ] as const)
    writeFileSync(join(writeRun(runId, [sampleEpisode({ runId })]), 'plan.json'), plan)
  const envelopes = [sampleEpisode({ runId: second }), sampleEpisode({ runId: second, attempt: 2 })]
  const folder = writeRun(second, envelopes)
  mkdirSync(join(folder, 'episodes', 'alpha', 'r9-a1', 'episode.json'), { recursive: true })
  expect(await saveAllRuns(kept.db)).toBe(2)
  expect(await kept.db.episode.count({ where: { runId: second } })).toBe(2)
})
