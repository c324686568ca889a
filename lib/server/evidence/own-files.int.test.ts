import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { closeDatabase } from '#lib/db/database.ts'
import { settleEnv } from '#lib/env.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { ON_POSTGRES } from '#lib/testing/factories/postgres.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { getEpisode } from '../runs/episodes.ts'
import { openLogBytes } from '../runs/read-log.ts'

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await closeDatabase()
  await temporary.close()
})

it('a host of several without the files of an episode says that another one has them; a single host, that they are missing', async () => {
  expect((await submitBody(temporary, JSON.stringify(tsBenchRun()))).status).toBe('committed')
  const [first] = await temporary.db.episode.findMany({ where: { directory: { not: null } } })
  const { episodeId, directory } = first as { episodeId: string; directory: string }
  const view = await getEpisode(episodeId)
  expect(view?.evidenceProblems).toEqual([])
  const [file] = view?.episode.evidence ?? []
  if (!file) throw new Error('no evidence')

  renameSync(join(temporary.dir, directory), join(temporary.dir, 'disk-of-another-host'))
  const data = ON_POSTGRES ? 'is not in this data folder' : 'is missing from the evidence store'
  const problems = (await getEpisode(episodeId))?.evidenceProblems
  expect(problems?.[0]?.problem).toContain(data)
  if (ON_POSTGRES) expect(problems?.length).toBe(1)
  await expect(openLogBytes(episodeId, file.role)).rejects.toThrow(data)
})
