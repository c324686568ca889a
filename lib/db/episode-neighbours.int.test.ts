import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { findSolvedAttempt } from './episode-neighbours.ts'
import { saveEpisode } from './save-episode.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
  await saveSampleRun(temporary.db)
})
afterEach(() => temporary.close())

it('of several solved attempts the first is compared, whatever came last', async () => {
  const save = (changes: Partial<EpisodeBody>) =>
    saveEpisode(temporary.db, JSON.stringify(sampleEpisode(changes)), {
      provenance: 'local',
      directory: null,
      receivedAt: new Date(0),
    })
  expect(await findSolvedAttempt(temporary.db, sampleEpisode())).toBeNull()
  for (const repetition of [4, 2, 3]) await save({ repetition })
  expect(await findSolvedAttempt(temporary.db, sampleEpisode())).toMatchObject({ repetition: 2 })
})
