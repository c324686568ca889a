import { beforeEach, expect, it } from 'vitest'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { type EpisodeFilter, listEpisodeSummaries, listWithEvidence } from './episode-list.ts'
import { saveEpisode } from './save-episode.ts'

const temporary = databaseForEach()
beforeEach(() => saveSampleRun(temporary.db))

const save = (changes: Partial<EpisodeBody>, directory: string | null = null) =>
  saveEpisode(temporary.db, JSON.stringify(sampleEpisode(changes)), {
    provenance: 'local',
    directory,
    receivedAt: new Date(0),
  })

/** Times on a day of a month. */
const on = (day: number) => {
  const date = `2026-11-0${day}`
  return { startedAt: `${date}T00:00:00.000Z`, endedAt: `${date}T01:00:00.000Z` }
}

it('lists by every filter, latest first, page by page', async () => {
  for (const repetition of [2, 4, 1, 3]) await save({ repetition, ...on(repetition) })
  const { taskId, suiteId, suiteDigest, outcome, subject, runId } = sampleEpisode()
  const list = async (filter: EpisodeFilter, after: readonly [string, string] | null = null) => {
    const found = await listEpisodeSummaries(temporary.db, filter, { after, limit: 2 })
    return found.map((one) => [one.repetition, [one.startedAt, one.episodeId] as const] as const)
  }
  const [first, second] = await list({})
  expect([first?.[0], second?.[0]]).toEqual([4, 3])
  const next = await list({}, second?.[1])
  expect(next.map(([repetition]) => repetition)).toEqual([2, 1])
  expect(await list({}, next.at(-1)?.[1])).toEqual([])
  const [row] = await listEpisodeSummaries(temporary.db, {}, { after: null, limit: 1 })
  const subjectId = row?.subject.subjectId ?? ''
  const matching: EpisodeFilter[] = [
    ...[{ taskId }, { suiteId }, { suiteDigest }, { status: outcome.status }, { runId }],
    ...[{ subject: subject.name }, { subject: subjectId }, { taskId, suiteId, subject: subjectId }],
  ]
  for (const filter of matching) expect(await list(filter), JSON.stringify(filter)).toHaveLength(2)
  const other = `sha256:${'0'.repeat(64)}`
  const missing: EpisodeFilter[] = [
    ...[{ taskId: 'x' }, { suiteId: 'x' }, { suiteDigest: other }, { status: 'tampered' as const }],
    ...[{ runId: 'x' }, { subject: 'x' }, { subject: other }, { taskId, suiteId: 'x' }],
  ]
  for (const filter of missing) expect(await list(filter), JSON.stringify(filter)).toEqual([])
})

it('finds the latest episodes with evidence', async () => {
  await save({ repetition: 1, ...on(1) }, 'runs/a')
  await save({ repetition: 2, ...on(2) })
  const { name } = sampleEpisode().subject
  const [found, ...more] = await listWithEvidence(temporary.db, name, 5)
  expect([found?.runId, more]).toEqual([sampleEpisode().runId, []])
  expect(await listWithEvidence(temporary.db, undefined, 5)).toEqual([found])
  expect(await listWithEvidence(temporary.db, 'nobody', 5)).toEqual([])
})

// A filter that nothing matches reads no row of the table: with a million of them that took 6 to 25 CPU-seconds.
it.each([
  `"status" = 'x'`,
  `"suiteId" = 'x'`,
  `"suiteId" = 'x' AND "status" = 'x'`,
  `"taskId" = 'x'`,
  `"taskId" = 'x' AND "suiteId" = 'x'`,
  `"subjectId" IN ('x', 'y')`,
  `"suiteDigest" = 'x'`,
])('lists ids from an index where %s', { tags: 'on-sqlite' }, async (condition) => {
  const plan = await temporary.db.$queryRawUnsafe<{ detail: string }[]>(
    `EXPLAIN QUERY PLAN SELECT "episodeId" FROM "Episode" WHERE ${condition} ORDER BY "startedAt" DESC, "episodeId" DESC LIMIT 9`,
  )
  expect(plan.map(({ detail }) => detail)[0]).toContain('COVERING INDEX')
})
