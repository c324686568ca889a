import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isNight } from '#lib/testing/cases/at-night.ts'
import { TRANSPORT_BODIES } from '#lib/testing/corpora/hostile/archive-bodies.ts'
import { HOSTILE_BODIES } from '#lib/testing/corpora/hostile/hostile-bodies.ts'
import type { HostileBody, Sent } from '#lib/testing/corpora/hostile/hostile-body.ts'
import { type PlayedBody, playHostile } from '#lib/testing/corpora/hostile/play-hostile.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { CONSOLE, submitBody } from '#lib/testing/corpora/submit-body.ts'
import { receiveUpload } from './receive-upload.ts'
import { getUpload } from './uploads.ts'

// A hundred bodies, some of a hundred megabytes, over real connections.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const ALL = [...HOSTILE_BODIES, ...TRANSPORT_BODIES]
/** Each takes as long as twenty others, and meets the same limit as a million tiny episodes. */
const isDear = ({ name }: HostileBody) => /^a million (lines|episodes)/.test(name)
const SENT = isNight ? ALL : ALL.filter((one) => !isDear(one))
/** Each takes as long as ten others. */
const LARGE = /^a million|twenty megabytes|too many files/
const played = new Map<string, PlayedBody>()

beforeAll(async () => {
  for await (const one of playHostile(SENT)) played.set(one.name, one)
})

describe('a hostile body sent by a program', () => {
  it('is one of many, each under a name of its own', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length)
    expect(ALL.length).toBeGreaterThanOrEqual(75)
  })

  it.each(ALL.filter((one) => !isDear(one)))('$name: $status, $reason', expectRefused)
  it.each(ALL.filter(isDear))('$name: $status, $reason', { tags: 'night' }, expectRefused)

  function expectRefused({ name }: HostileBody): void {
    const { rows, leftovers, fault } = played.get(name) ?? { fault: 'was never sent' }
    expect({ rows, leftovers, fault }).toEqual({ rows: 0, leftovers: 0, fault: null })
  }
})

describe('the same body uploaded on the page', () => {
  let server: HostileTestServer
  beforeEach(async () => {
    server = await openTestServer()
  })
  afterEach(() => server.close())
  afterAll(() => vi.unstubAllEnvs())

  const ALONE = HOSTILE_BODIES.filter(({ first, prepare }) => !first && !prepare)
  const isLarge = ({ name }: HostileBody) => LARGE.test(name)
  it('is refused in the same words, and writes nothing', () =>
    refuseAll(ALONE.filter((one) => !isLarge(one))))
  it('also when it is large', { tags: 'night' }, () => refuseAll(ALONE.filter(isLarge)))

  async function refuseAll(bodies: readonly HostileBody[]): Promise<void> {
    const differing: string[] = []
    for (const hostile of bodies) {
      const [byPage, byProgram] = [await refuseOnPage(hostile), played.get(hostile.name)]
      if (byPage !== `${byProgram?.path}: ${byProgram?.message}`)
        differing.push(`${hostile.name}: "${byPage}" here, "${byProgram?.message}" there`)
    }
    expect(bodies.length).toBeGreaterThan(4)
    expect(differing).toEqual([])
    expect(await server.db.episode.count()).toBe(0)
    expect(await server.db.run.count()).toBe(0)
  }

  it.each(HOSTILE_BODIES.filter(({ first, prepare }) => first || prepare))(
    'is refused with the same message beside stored results: $name',
    async (hostile) => {
      await hostile.prepare?.(server.db)
      if (hostile.first) await submitBody(server, hostile.first())
      const before = await server.db.episode.count()
      const { path, message } = played.get(hostile.name) ?? { path: '', message: 'never sent' }
      expect(await refuseOnPage(hostile)).toBe(`${path}: ${message}`)
      expect(await server.db.episode.count()).toBe(before)
    },
  )
})

/** Returns the first error on the page. */
async function refuseOnPage({ name, make }: HostileBody): Promise<string> {
  const made = await make()
  const bytes = Buffer.from((isSent(made) ? made.body : made) as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  const fileName = createHash('sha256').update(name).digest('hex')
  const order = { fileName, contentType: '', actor: CONSOLE, requestId: null, now: new Date() }
  const upload = await getUpload(await receiveUpload(pieces(), order))
  if (!upload) throw new Error('the upload is not there')
  const { problem, items } = upload.preview
  if (problem !== null) return `(root): ${problem}`
  const first = items.find(({ kind }) => kind === 'rejected' || kind === 'conflict')
  return first ? `${first.path}: ${first.message}` : 'it was taken'
}

function isSent(made: Sent | Buffer | string): made is Sent {
  return typeof made === 'object' && !Buffer.isBuffer(made)
}
