import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { demoEvidence } from '#lib/testing/factories/demo/demo-evidence.ts'
import {
  sampleBrowser,
  sampleEpisode,
  samplePlan,
  sampleSuite,
} from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { GET as getEpisode } from './episodes/[episodeId]/route.ts'
import { GET as getScreenshot } from './episodes/[episodeId]/screenshot/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-picture-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
  repetitions: 10,
})
const files = demoEvidence({ isSolved: true, hasError: false })
const png = files[0]!.bytes
const trace = Buffer.from(`not json\n${Buffer.from(files[1]!.bytes)}`)
const frame = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])
const contract: EpisodeBody['contract'] = {
  verdict: 'pass',
  assertions: [],
  expectedTests: null,
  executedTests: null,
  passedTests: null,
}
let made = 0

/** Stores an episode whose evidence was sealed as `sealed` and is on the disk as `stored`. */
async function keep(
  sealed: Uint8Array,
  store: (path: string) => void = (path) => writeFileSync(path, sealed),
): Promise<string> {
  const file = (role: 'screenshot' | 'events', path: string, bytes: Uint8Array) => ({
    role,
    path,
    digest: digestBytes(bytes),
    sizeBytes: bytes.length,
    droppedBytes: 0,
  })
  made += 1
  const episode = sampleEpisode(
    {
      suiteDigest: suite.digest,
      taskDigest: suite.tasks[0]!.digest,
      repetition: made,
      contract,
      browser: sampleBrowser(),
      evidence: [
        file('screenshot', 'film/01.jpg', frame),
        file('screenshot', 'final.png', sealed),
        file('events', 'steps.ndjson', trace),
      ],
    },
    plan,
  )
  const directory = `runs/one/r${made}`
  const path = join(dir, directory, 'final.png')
  mkdirSync(join(dirname(path), 'film'), { recursive: true })
  writeFileSync(join(dirname(path), 'film/01.jpg'), frame)
  store(path)
  writeFileSync(join(dirname(path), 'steps.ndjson'), trace)
  const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
  await saveEpisode(database(), JSON.stringify(episode), receipt)
  return episode.episodeId
}

const ask = (episodeId: string, headers = {}, query = '') =>
  getScreenshot(new Request(`http://localhost/x${query}`, { headers }), {
    params: Promise.resolve({ episodeId }),
  })

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

it('serves the sealed picture as a picture and nothing else', async () => {
  const episodeId = await keep(png)
  const response = await ask(episodeId)
  expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([
    200,
    new Uint8Array(png),
  ])
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('content-disposition')).toBe('inline; filename="final-page.png"')
  const etag = response.headers.get('etag')
  expect((await ask(episodeId, { 'if-none-match': etag })).status).toBe(304)
})

it('serves a frame of the filmstrip by its number, and never as the final page', async () => {
  const episodeId = await keep(png)
  const response = await ask(episodeId, {}, '?frame=1')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(frame))
  expect((await ask(episodeId, {}, '?frame=2')).status).toBe(404)
  expect((await ask(episodeId, {}, '?frame=../1')).status).toBe(400)
  const missing = await keep(png, () => {})
  expect((await ask(missing)).status).toBe(404)
})

it.each<[string, Uint8Array, ((path: string) => void)?]>([
  ['changed after sealing', png, (path) => writeFileSync(path, Buffer.concat([png, png]))],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
  ['a page', Buffer.from('<!doctype html><script>1</script>')],
  ['too large', Buffer.concat([png, Buffer.alloc(8_000_000)])],
])('refuses a file that is %s, in one sentence', async (_, sealed, store) => {
  const response = await ask(await keep(sealed, store))
  expect(response.status).toBe(422)
  expect((await response.json()).error.message).toMatch(
    /^the screenshot of ep_\w+ is not shown: it /,
  )
})

it('has nothing where there is no plain file, no such episode', async () => {
  const linked = await keep(png, (path) => symlinkSync('/etc/passwd', path))
  const missing = await keep(png, () => {})
  for (const episodeId of [linked, missing, 'ep_nowhere']) {
    expect((await ask(episodeId)).status).toBe(404)
  }
})

it('gives the steps with the episode, and leaves out lines that are none', async () => {
  const episodeId = await keep(png)
  const response = await getEpisode(new Request('http://localhost/x'), {
    params: Promise.resolve({ episodeId }),
  })
  const { trace: steps, received } = await response.json()
  expect([steps.length, received]).toEqual([8, true])
  expect(steps[0]).toMatchObject({ step: 'open the shop', action: 'open', error: null })
})
