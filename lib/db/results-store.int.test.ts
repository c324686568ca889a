import { afterEach, beforeEach, expect, it } from 'vitest'
import { ON_POSTGRES } from '#lib/testing/factories/postgres.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { episodeLine, saveEpisodeLines, saveSubjects } from './results-store.ts'
import { openSqlite } from './sqlite-file.ts'
import { rederiveEpisode } from './stored-episode.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
afterEach(() => temporary.close())

it('keeps an episode from its line as the client keeps one, type by type', async () => {
  const { db, place } = temporary
  await saveSampleRun(db)
  const episodes = [
    sampleEpisode({ repetition: 1 }),
    sampleEpisode({
      repetition: 2,
      outcome: { status: 'unsolved', reason: 'it\'s "quoted" \\ 🦀 \u2028' },
      contract: null,
      testSuccess: false,
      overallSuccess: false,
    }),
  ]
  await saveSubjects(
    db,
    episodes.map(({ subject }) => subject),
  )
  const receivedAt = new Date('2026-02-03T04:05:06.789Z')
  const origin = { provenance: 'token' as const, receivedAt }
  const read = () => {
    if (ON_POSTGRES) return db.episode.findMany({ orderBy: { episodeId: 'asc' } })
    const direct = openSqlite(place, { readOnly: true })
    const columns = (direct.pragma('table_info(Episode)') as { name: string }[]).map(
      ({ name }) => `"${name}", typeof("${name}") AS "type of ${name}"`,
    )
    const rows = direct.prepare(`SELECT ${columns} FROM Episode ORDER BY episodeId`).all()
    direct.close()
    return rows
  }
  const directories = new Map([[episodes[0]?.episodeId ?? '', 'received/x/y']])
  const data = episodes.map((episode) => ({
    ...rederiveEpisode(episode),
    ...origin,
    envelope: JSON.parse(episodeLine(episode)).envelope,
    directory: directories.get(episode.episodeId) ?? null,
  }))
  await db.episode.createMany({ data })
  const byClient = await read()
  await db.episode.deleteMany()
  const lines = new Map(episodes.map((episode) => [episode.episodeId, episodeLine(episode)]))
  await saveEpisodeLines(db, lines, directories, origin)
  expect(await read()).toEqual(byClient)
  expect(byClient).toHaveLength(2)
})
