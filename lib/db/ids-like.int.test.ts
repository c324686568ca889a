import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { listEpisodeIdsLike, listRunIdsLike } from './ids-like.ts'
import { saveEpisode } from './save-episode.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
afterEach(() => temporary.close())

it('finds a run and an episode by an id that lost its end, or that has more behind it', async () => {
  await saveSampleRun(temporary.db)
  const episode = sampleEpisode()
  await saveEpisode(temporary.db, JSON.stringify(episode), {
    provenance: 'local',
    directory: null,
    receivedAt: new Date(0),
  })
  for (const [id, list] of [
    [episode.runId, listRunIdsLike],
    [episode.episodeId, listEpisodeIdsLike],
  ] as const) {
    expect(await list(temporary.db, id.slice(0, -1))).toEqual([id])
    expect(await list(temporary.db, `${id}).`)).toEqual([id])
    expect(await list(temporary.db, id.slice(0, 5))).toEqual([])
    expect(await list(temporary.db, `${id.slice(0, -1)}~~~`)).toEqual([])
    expect(await list(temporary.db, '')).toEqual([])
  }
})
