import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { countScans } from '#lib/server/runs/scan-counts.ts'
import { sampleTranscript, writeTranscript } from '#lib/testing/factories/sample-transcript.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { GET as getAtif } from './episodes/[episodeId]/atif/route.ts'
import { GET as getTranscript } from './episodes/[episodeId]/transcript/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-transcript-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
  repetitions: 10,
})
let made = 0

/** Stores an episode with this transcript; null = none. */
async function keep(text: string | null): Promise<string> {
  made += 1
  const bytes = Buffer.from(text ?? '')
  const file = {
    role: 'transcript' as const,
    path: 'transcript.jsonl',
    digest: digestBytes(bytes),
    sizeBytes: bytes.length,
    droppedBytes: 0,
  }
  const [task] = suite.tasks
  const episode = sampleEpisode(
    {
      suiteDigest: suite.digest,
      taskDigest: task!.digest,
      repetition: made,
      evidence: text === null ? [] : [file],
    },
    plan,
  )
  const directory = `runs/one/r${made}`
  mkdirSync(join(dir, directory), { recursive: true })
  if (text !== null) writeFileSync(join(dir, directory, file.path), bytes)
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  await saveEpisode(database(), JSON.stringify(episode), receipt)
  return episode.episodeId
}

async function ask(episodeId: string, query = '') {
  const request = new Request(`http://localhost/x?${query}`)
  const response = await getTranscript(request, { params: Promise.resolve({ episodeId }) })
  return { status: response.status, body: await response.json() }
}

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
  await saveSampleRun(database(), plan)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('answers steps by pages, cut where asked, and what a search finds', async () => {
  const transcript = sampleTranscript({ isSolved: false })
  const episodeId = await keep(writeTranscript(transcript))
  const page = await ask(episodeId, 'from=3&limit=2&chars=10')
  expect(page).toMatchObject({
    status: 200,
    body: { total: 11, next: 5, hits: null, head: { simulated: true } },
  })
  expect(page.body.steps.map(({ index }: { index: number }) => index)).toEqual([3, 4])
  expect(page.body.steps[1]).toMatchObject({ toolResult: { text: '  1  expor' } })
  expect(page.body.steps[1].cutChars).toBeGreaterThan(1000)
  expect((await ask(episodeId, 'find=<b>SIMULATED')).body.hits).toEqual([6])
  expect((await ask(episodeId, 'find=toolResult')).body.hits).toEqual([])
  expect((await ask(episodeId, 'from=12')).body).toMatchObject({ steps: [], next: null })
  expect(page.body.findings).toMatchObject([{ scanner: 'gave-up', steps: [11] }])
  const trajectory = await getAtif(new Request('http://localhost/x'), {
    params: Promise.resolve({ episodeId }),
  })
  expect(await trajectory.json()).toMatchObject({ session_id: episodeId })
  const { subject } = sampleEpisode({}, plan)
  expect(await countScans(subject.name)).toEqual({
    scanned: 1,
    counts: [{ scanner: 'gave-up', episodes: 1, latest: episodeId }],
  })
})

it('shows broken lines as such, a killed runner as not complete, and refuses what is none', async () => {
  const { head, steps } = sampleTranscript()
  const lines = [head, steps[0]].map((line) => JSON.stringify(line))
  const killed = await ask(await keep(`${lines.join('\n')}\n{"kind":"step","ind`))
  expect(killed.body).toMatchObject({ end: null, total: 2 })
  expect(killed.body.steps[1].trouble).toBe('this line of the transcript cannot be read')
  expect((await ask(await keep('<html>'))).status).toBe(404)
  expect((await ask(await keep(null))).status).toBe(404)
  expect((await ask('ep_nowhere')).status).toBe(404)
})
