import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { READ_POOLS } from '#lib/domain/api/rate-limit.ts'
import { settleEnv } from '#lib/env.ts'
import { PEER_HEADER } from '#lib/server/http/peer-address.ts'
import { countAddresses, countRead } from '#lib/server/http/rate-limiter.ts'
import { jsonBody, writeRoute } from '#lib/server/http/write-route.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { saveSampleRun } from '#lib/testing/factories/temporary-database.ts'
import { GET as refuse } from './[[...path]]/route.ts'
import { GET as getRaw } from './episodes/[episodeId]/logs/raw/route.ts'
import { GET as listEpisodes } from './episodes/route.ts'
import { GET as getBadge } from './rows/[rowId]/badge.svg/route.ts'
import { GET as listSuites } from './suites/route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-reads-'))
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
  repetitions: 20,
})
const LOG = `${'zeile ü\n'.repeat(40)}`
const none = { params: Promise.resolve({}) }
const settle = (more: Record<string, string> = {}) => {
  const base = {
    PROOFBOARD_DATA_DIR: dir,
    PROOFBOARD_LOG_LEVEL: 'silent',
    PROOFBOARD_TRUSTED_PROXY: '',
    PROOFBOARD_READS_PER_MINUTE: '',
  }
  Object.assign(process.env, base, more)
  settleEnv(process.cwd())
}
const episodeOf = (repetition: number, startedAt: string) => {
  const task = suite.tasks[0]!
  const file = { role: 'subject-log', path: 'subject.log', digest: suite.digest } as const
  const evidence = [{ ...file, sizeBytes: Buffer.byteLength(LOG), droppedBytes: 0 }]
  const draft = { suiteDigest: suite.digest, taskDigest: task.digest, repetition, evidence }
  return sampleEpisode({ ...draft, startedAt, endedAt: '2026-11-21T23:00:00.000Z' }, plan)
}
const keep = (episode: ReturnType<typeof episodeOf>) =>
  saveEpisode(database(), JSON.stringify(episode), {
    provenance: 'local',
    directory: 'runs/a',
    receivedAt: new Date(),
  })
const ask = (path: string, headers = {}) =>
  new Request(`http://localhost/api/v1/${path}`, { headers })

beforeAll(async () => {
  settle()
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
  await saveSampleRun(database(), plan)
  mkdirSync(join(dir, 'runs/a'), { recursive: true })
  writeFileSync(join(dir, 'runs/a/subject.log'), LOG)
  for (let repetition = 1; repetition <= 9; repetition++) {
    // Groups of three share a time, so that the order has to depend on more than the time.
    await keep(episodeOf(repetition, `2026-11-21T0${Math.ceil(repetition / 3)}:00:00.000Z`))
  }
})
beforeEach(() => settle())
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

describe('a list, page by page', () => {
  const page = async (query: string) => {
    const response = await listEpisodes(ask(`episodes${query}`), none)
    return (await response.json()) as { episodes: { episodeId: string }[]; next: string | null }
  }
  const ids = (one: { episodes: { episodeId: string }[] }) =>
    one.episodes.map(({ episodeId }) => episodeId)
  const after = (next: string | null) => `?${next?.split('?')[1]}`

  it('stays as it is for who walks it while more comes in, before and behind the place', async () => {
    const whole = ids(await page('?suite=sample&limit=500'))
    expect(whole).toHaveLength(9)
    const first = await page('?suite=sample&limit=4')
    await keep(episodeOf(15, '2026-11-21T05:00:00.000Z'))
    await keep(episodeOf(16, '2026-11-20T05:00:00.000Z'))
    const walked = ids(first)
    for (let next = first.next; next !== null; ) {
      const more = await page(after(next))
      walked.push(...ids(more))
      next = more.next
    }
    expect(walked.slice(0, 9)).toEqual(whole)
    expect(walked).toHaveLength(10)
    expect(new Set(walked).size).toBe(10)
  })

  it('keeps its filters, and narrows by each', async () => {
    expect((await page('?run=run_nowhere')).episodes).toEqual([])
    expect((await page('?subject=reference&outcome=solved&limit=3')).next).toContain(
      'subject=reference&outcome=solved&limit=3&cursor=',
    )
    expect((await page('?task=beta')).episodes).toEqual([])
    const bad = await listEpisodes(ask('episodes?outcome=won'), none)
    expect([bad.status, (await bad.json()).detail]).toEqual([
      400,
      expect.stringMatching(/^outcome: /),
    ])
    const suites = Buffer.from('["0","demo"]').toString('base64url')
    const other = await listEpisodes(ask(`episodes?cursor=${suites}`), none)
    expect([other.status, (await other.json()).detail]).toEqual([
      400,
      expect.stringContaining('another list'),
    ])
    const typo = await listEpisodes(ask('episodes?outcom=solved'), none)
    expect((await typo.json()).detail).toBe('unknown parameter "outcom": did you mean outcome?')
  })
})

describe('a log’s bytes', () => {
  const { episodeId } = episodeOf(1, '2026-11-21T01:00:00.000Z')
  const raw = (headers = {}) =>
    getRaw(ask('e/logs/raw', headers), { params: Promise.resolve({ episodeId }) })
  const size = Buffer.byteLength(LOG)

  it('come whole, or the range that is asked for', async () => {
    const whole = await raw()
    expect(await whole.text()).toBe(LOG)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const part = await raw({ range: 'bytes=9-17' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 9-17/${size}`])
    expect(await part.text()).toBe('zeile ü\n')
    const tail = await raw({ range: 'bytes=-3', 'if-range': whole.headers.get('etag') })
    expect([tail.status, await tail.text()]).toEqual([206, 'ü\n'])
    const changed = await raw({ range: 'bytes=-3', 'if-range': '"another"' })
    expect([changed.status, (await changed.text()).length]).toEqual([200, LOG.length])
  })

  it('know who has them, and that nothing is beyond their end', async () => {
    const known = await raw({ 'if-none-match': (await raw()).headers.get('etag') })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const beyond = await raw({ range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    expect((await beyond.json()).code).toBe('no-such-range')
  })
})

describe('the limit', () => {
  const from = (address: string) => ({ [PEER_HEADER]: address })
  const reads = (headers: object) => listSuites(ask('suites', headers), none)

  it('is an address’s own, told in headers, and ends in a problem', async () => {
    settle({ PROOFBOARD_READS_PER_MINUTE: '3' })
    const listed: (string | null)[] = []
    for (let turn = 0; turn < 3; turn++) {
      const { headers, status } = await reads(from('192.0.2.1'))
      listed.push(`${status} ${headers.get('ratelimit')}`)
    }
    expect(listed[0]).toBe('200 "reads";r=2;t=20')
    expect(listed[2]).toBe('200 "reads";r=0;t=60')
    const refused = await reads(from('192.0.2.1'))
    expect(refused.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'too-many-requests'])
    expect((await reads(from('::ffff:192.0.2.1'))).status, 'the same, written otherwise').toBe(429)
    expect((await reads(from('192.0.2.2'))).status).toBe(200)
    const badge = await getBadge(ask('b', from('192.0.2.1')), {
      params: Promise.resolve({ rowId: 'x' }),
    })
    expect(badge.status, 'badges are counted apart').toBe(404)
  })

  it('takes a household for one, and the word of our own proxy only', async () => {
    settle({ PROOFBOARD_READS_PER_MINUTE: '1' })
    expect((await reads(from('2001:db8:1:2::1'))).status).toBe(200)
    expect((await reads(from('2001:db8:1:2:ffff::9'))).status).toBe(429)
    expect((await reads(from('2001:db8:1:3::1'))).status).toBe(200)
    const claimed = { ...from('192.0.2.9'), 'x-forwarded-for': '203.0.113.5' }
    expect((await reads(claimed)).status).toBe(200)
    expect((await reads({ ...claimed, 'x-forwarded-for': '203.0.113.6' })).status).toBe(429)
    settle({ PROOFBOARD_READS_PER_MINUTE: '1', PROOFBOARD_TRUSTED_PROXY: '1' })
    const behind = (seen: string) => ({
      ...from('127.0.0.1'),
      'x-forwarded-for': `1.1.1.1, ${seen}`,
    })
    expect((await reads(behind('203.0.113.7'))).status).toBe(200)
    expect((await reads(behind('203.0.113.7'))).status).toBe(429)
    expect((await reads(behind('203.0.113.8'))).status).toBe(200)
  })

  it('stores a bounded number of addresses', () => {
    const now = performance.now()
    for (let n = 0; n < 30_000; n++) {
      const address = `198.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      countRead(new Headers(from(address)), 'reads', now)
    }
    expect(countAddresses()).toBeLessThanOrEqual(20_000 + READ_POOLS.length)
    countRead(new Headers(from('192.0.2.77')), 'reads', now + 120_000)
    expect(countAddresses(), 'those at rest are forgotten').toBeLessThan(10)
  })

  it('is none at 0', async () => {
    settle({ PROOFBOARD_READS_PER_MINUTE: '0' })
    expect((await reads(from('192.0.2.3'))).headers.get('ratelimit')).toBeNull()
  })
})

it('answers an unknown address with the nearest', async () => {
  const response = await refuse(ask('episode'), { params: Promise.resolve({ path: ['episode'] }) })
  expect([response.status, (await response.json()).detail]).toEqual([
    404,
    expect.stringContaining('did you mean /episodes'),
  ])
})

it('lets no other site’s scripts read what a write answers', async () => {
  const POST = writeRoute({
    scope: 'results:write',
    role: 'admin',
    read: jsonBody(z.object({}), 100),
    run: async () => Response.json({}),
  })
  const request = new Request('http://localhost/api/v1/results', { method: 'POST', body: '{}' })
  const { status, headers } = await POST(request, none)
  expect([status, headers.get('access-control-allow-origin')]).toEqual([401, null])
})
