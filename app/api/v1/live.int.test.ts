import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { type LiveLine, parseCursor, type RunState } from '#lib/domain/api/index.ts'
import { countStreams } from '#lib/server/http/respond-events.ts'
import { countFollowed } from '#lib/server/runs/follow-file.ts'
import { waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { LiveRunFixture, type ReadEvent, readEvents } from '#lib/testing/factories/live-run.ts'
import { samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { GET as getEvents } from './runs/[runId]/events/route.ts'
import { GET as getLog } from './runs/[runId]/log/stream/route.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-live-'))
const suite = sampleSuite()
const tasks = suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category }))
const plan = samplePlan({ suiteDigest: suite.digest, tasks })
const STARTED = {
  event: 'attempt-started',
  at: '2026-11-21T14:47:13.000Z',
  taskId: 'alpha',
  repetition: 1,
  attempt: 1,
}
let runs = 0
let run: LiveRunFixture

type Route = typeof getLog
const ask = (route: Route, from: string | null = null, stop?: AbortSignal) =>
  route(
    new Request('http://localhost/', {
      headers: from === null ? {} : { 'last-event-id': from },
      ...(stop && { signal: stop }),
    }),
    { params: Promise.resolve({ runId: run.runId }) },
  )

const linesOf = ({ event, data }: ReadEvent): LiveLine[] =>
  event === 'lines' ? (data as { lines: LiveLine[] }).lines : []

/** Joins the lines of the runner, or of one subject. */
function textOf(events: readonly ReadEvent[], source: string): string[] {
  const texts: string[] = []
  let goesOn = false
  for (const line of events.flatMap(linesOf)) {
    if (line.source !== source) continue
    if (goesOn) texts.push((texts.pop() ?? '') + line.text)
    else texts.push(line.text)
    goesOn = line.open === true
  }
  return texts
}

async function readAll(response: Response): Promise<ReadEvent[]> {
  return readUntil(response, () => false)
}

/** Reads until `enough`, then disconnects as a browser does. */
async function readUntil(response: Response, enough: (all: ReadEvent[]) => boolean) {
  const all: ReadEvent[] = []
  for await (const event of readEvents(response)) {
    all.push(event)
    if (enough(all)) break
  }
  return all
}

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dataDir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  const runId = `run_live${String(++runs).padStart(6, '0')}`
  run = await LiveRunFixture.start(database(), plan, { runId, dataDir })
})

describe('the log of a run as it is written', () => {
  it('goes on from every byte of it without losing or doubling a line', async () => {
    const text = 'one\nzwei ü\n\nvier\n'
    run.say(text)
    await run.end()
    const bytes = Buffer.from(text)
    for (let from = 0; from <= bytes.length; from++) {
      const events = await readAll(await ask(getLog, String(from)))
      const rest = bytes.subarray(from).toString('utf8').split('\n').slice(0, -1)
      expect(textOf(events, 'runner'), `from ${from}`).toEqual(rest)
      expect(events.at(-1)?.event).toBe('end')
    }
  })

  it('goes on from the id of any event, subjects included, however often it breaks off', async () => {
    run.begin('alpha')
    run.saySubject('alpha', 'a1\na2\n')
    const seen: ReadEvent[] = []
    const readMore = async (wanted: number) => {
      const part = await readUntil(
        await ask(getLog, seen.at(-1)?.id ?? '0'),
        (all) => textOf([...seen, ...all], 'alpha r1').length >= wanted,
      )
      seen.push(...part)
    }
    await readMore(2)
    run.saySubject('alpha', 'a3\nhalf')
    await readMore(3)
    run.saySubject('alpha', ' a line\n')
    run.begin('beta')
    run.saySubject('beta', 'b1\n')
    await readMore(4)
    run.saySubject('alpha', 'last, without an end')
    run.seal('alpha')
    run.saySubject('beta', 'b2')
    await run.end()
    seen.push(...(await readAll(await ask(getLog, seen.at(-1)?.id ?? '0'))))
    expect(textOf(seen, 'alpha r1')).toEqual([
      'a1',
      'a2',
      'a3',
      'half a line',
      'last, without an end',
    ])
    expect(textOf(seen, 'beta r1')).toEqual(['b1', 'b2'])
    expect(textOf(seen, 'runner')).toEqual([
      '14:47:13 alpha r1 started',
      '14:47:13 beta r1 started',
      '14:47:13 alpha r1 sealed: solved',
    ])
    // Replayed from each id, the remaining events are the same.
    for (const [index, { id }] of seen.entries()) {
      if (linesOf(seen[index] as ReadEvent).length === 0) continue
      const rest = await readAll(await ask(getLog, id))
      for (const source of ['runner', 'alpha r1', 'beta r1'])
        expect(textOf(rest, source), id).toEqual(textOf(seen.slice(index + 1), source))
    }
  })

  it('holds a half-written line back, also for many readers at once, and gives each all of it', async () => {
    run.say('begun')
    const readers = Array.from({ length: 20 }, async () =>
      readUntil(await ask(getLog, '0'), (all) => textOf(all, 'runner').length === 2),
    )
    await waitUntil('one watched file', async () => (countFollowed() === 1 ? true : null), {
      everyMs: 10,
    })
    run.say(' and ended\nnext\n')
    for (const events of await Promise.all(readers))
      expect(textOf(events, 'runner')).toEqual(['begun and ended', 'next'])
    await waitUntil(
      'nobody reads',
      async () => (countFollowed() + countStreams() === 0 ? true : null),
      {
        everyMs: 10,
      },
    )
  })

  it('frames hostile lines: NUL, broken bytes, carriage returns, fields of the protocol', async () => {
    const hostile = [
      'data: x',
      'event: end',
      'id: 9',
      ': no comment',
      '\u001b[31mred',
      'a\rid: 7\rb',
    ]
    run.say(`${hostile.join('\n')}\n`)
    run.say(Buffer.from([0, 0xff, 0xc3, 0x0a, 0x0d, 0x0a]))
    await run.end()
    const events = await readAll(await ask(getLog, '0'))
    expect(textOf(events, 'runner')).toEqual([...hostile, '\0\ufffd\ufffd', ''])
    expect(events.filter(({ event }) => event === 'end')).toHaveLength(1)
  })

  it('gives a line without end in pieces, whole characters each', async () => {
    const line = `${'ü€😀x'.repeat(40_000)}`
    run.say(line)
    const events = await readUntil(
      await ask(getLog, '0'),
      (all) => textOf(all, 'runner').join('').length > 130_000,
    )
    expect(Math.max(...events.flatMap(linesOf).map(({ text }) => text.length))).toBeLessThan(65_537)
    run.say('\nnext\n')
    await run.end()
    const rest = await readAll(await ask(getLog, events.at(-1)?.id ?? ''))
    expect(textOf([...events, ...rest], 'runner')).toEqual([line, 'next'])
  })

  it('starts again when the log is cut short or replaced', async () => {
    run.say('old one\nold two\n')
    const all: ReadEvent[] = []
    for await (const event of readEvents(await ask(getLog, '0'))) {
      all.push(event)
      if (textOf(all, 'runner').at(-1) === 'old two') run.replace('new\n')
      if (textOf(all, 'runner').at(-1) === 'new') break
    }
    expect(all.map(({ event }) => event)).toEqual(['lines', 'reset', 'lines'])
    await run.end()
    const past = await readAll(await ask(getLog, '999'))
    expect(past.map(({ event }) => event)).toEqual(['reset', 'lines', 'end'])
  })

  it('refuses places that no event of it named, and cursors into other files', async () => {
    for (const from of ['x', '-1', '1,2', '../../etc/passwd']) {
      const response = await ask(getLog, from)
      expect(response.status).toBe(400)
      expect((await response.json()).error.message).toContain('is not a position in this stream')
    }
    run.say(`${JSON.stringify({ ...STARTED, path: '../../../../../../etc' })}\n`)
    const size = `${JSON.stringify({ ...STARTED, path: '../../../../../../etc' })}\n`.length
    await run.end()
    for (const from of ['0', `${size},0:0,2:0`]) {
      const events = await readAll(await ask(getLog, from))
      expect(events.flatMap(linesOf).filter(({ source }) => source !== 'runner')).toEqual([])
      expect(events.at(-1)?.event).toBe('end')
    }
    expect(countFollowed()).toBe(0)
  })

  it('responds with 404 for an unknown run', async () => {
    run = { runId: 'run_nobody00' } as LiveRunFixture
    expect((await ask(getLog, '0')).status).toBe(404)
    expect((await ask(getEvents, '0')).status).toBe(404)
    expect(countStreams()).toBe(0)
  })
})

describe('the events of a run', () => {
  it('tells each once, with the state first and whenever it changed, and ends', async () => {
    run.say('words of its own\n')
    run.begin('alpha')
    const first = await readUntil(await ask(getEvents), (all) =>
      all.some(({ event }) => event === 'attempt-started'),
    )
    expect(first.map(({ event }) => event)).toEqual(['state', 'attempt-started'])
    expect((first[0] as { data: RunState }).data.spend).toEqual({ microUsd: null, unmetered: 0 })
    const open = await ask(getEvents, first.at(-1)?.id ?? '')
    run.seal('alpha')
    await run.end()
    const rest = await readAll(open)
    const names = rest.map(({ event }) => event).filter((event) => event !== 'state')
    expect(names).toEqual(['episode-sealed', 'end'])
    expect(rest.findLast(({ event }) => event === 'state')?.data).toMatchObject({ status: 'done' })
    expect(parseCursor(first.at(-1)?.id ?? '')).not.toBeNull()
  })

  it('is never stored, transformed or buffered on the way', async () => {
    await run.end()
    const response = await ask(getEvents)
    const { headers } = response
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    await readAll(response)
  })

  it('lets go of who leaves', async () => {
    await waitUntil('no streams', async () => (countStreams() === 0 ? true : null), { everyMs: 10 })
    const leaving = new AbortController()
    const open = await ask(getEvents, '0', leaving.signal)
    expect(countStreams()).toBe(1)
    leaving.abort()
    expect(await readAll(open)).toBeInstanceOf(Array)
    expect(countStreams()).toBe(0)
  })
})
