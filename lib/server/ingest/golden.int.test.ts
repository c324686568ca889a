import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { unpackEnvelope } from '../../db/stored-episode.ts'

const temporary = databaseForEach()

it('a run that another program reported is stored as the first version that knew such runs wrote it', async () => {
  const file = 'lib/server/ingest/fixtures/result-reported-by-ts-bench.json'
  const text = readFileSync(file, 'utf8')
  const { status, preview } = await submitBody(temporary, text)
  expect([status, preview.counts.new]).toEqual(['committed', 3])
  const kept = await temporary.db.episode.findMany({ orderBy: { taskId: 'asc' } })
  expect(kept.map(({ envelope }) => JSON.parse(unpackEnvelope(envelope)))).toEqual(
    JSON.parse(text).episodes,
  )
  // The same record is still the same run.
  expect((await submitBody(temporary, JSON.stringify(tsBenchRun()))).status).toBe('committed')
  expect(await temporary.db.episode.count()).toBe(3)
})

it('a bundle that the first version of the runner made is stored as it was sealed', async () => {
  const file = 'lib/server/ingest/fixtures/result-of-the-first-version.json'
  const text = readFileSync(file, 'utf8')
  expect((await submitBody(temporary, text)).status).toBe('committed')
  const [kept] = await temporary.db.episode.findMany()
  expect(JSON.parse(unpackEnvelope(kept?.envelope ?? ''))).toEqual(JSON.parse(text).episodes[0])
})
