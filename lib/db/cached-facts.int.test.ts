import { expect, it } from 'vitest'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { CachedFacts } from './cached-facts.ts'
import { copyPendingFacts, listAllParts } from './fact-store.ts'
import { saveEpisode } from './save-episode.ts'

const temporary = databaseForEach()

it('lets episodes that come one by one share subject and settings, as those that are read together do', async () => {
  const { db } = temporary
  await saveSampleRun(db)
  const { suiteDigest } = samplePlan()
  const cached = new CachedFacts(suiteDigest)
  for (const repetition of [1, 2, 3]) {
    const envelope = JSON.stringify(sampleEpisode({ repetition }))
    const receipt = { provenance: 'local', directory: null, receivedAt: new Date() } as const
    await saveEpisode(db, envelope, receipt)
    await copyPendingFacts(db)
    const [part = ''] = (await listAllParts(db, suiteDigest)).parts
    const { facts } = await cached.read(db, part, { isKept: true })
    const read = facts.list()
    expect(read).toHaveLength(repetition)
    // Equal subjects and settings share one object, so that a refresh compares by reference instead of serializing
    // each.
    for (const { subject, settings } of read)
      expect([subject === read[0]?.subject, settings === read[0]?.settings]).toEqual([true, true])
  }
})
