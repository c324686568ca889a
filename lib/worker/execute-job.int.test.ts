import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { claimJob } from '#lib/db/job-lease.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import type { Notification } from '../domain/formats/index.ts'
import { executeJob } from './execute-job.ts'
import { BoardRefresher } from './worker-context.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-jobs-'))
const script = join(dir, 'runner.mjs')
const suite = sampleSuite()
const plan = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
let runs = 0
let runId: string

/** Creates a runner that plans normally and then runs the script `run`, which can use `out`, `say` and `seal`. */
function scriptRunner(
  run: string,
  planning = `writeFileSync(at('--out'), ${JSON.stringify(JSON.stringify(plan))})`,
): void {
  const [task] = plan.tasks
  const episode = sampleEpisode(
    { runId, suiteDigest: suite.digest, taskDigest: task!.digest },
    plan,
  )
  writeFileSync(
    script,
    `import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
    const [command] = process.argv.slice(2)
    const at = (name) => process.argv[process.argv.indexOf(name) + 1]
    if (command === 'plan') { ${planning} }
    else {
      const out = at('--out')
      const say = (event) => console.log(JSON.stringify({ at: '2026-01-01T00:00:00.000Z', ...event }))
      const seal = () => {
        const path = 'episodes/alpha/r1-a1'
        mkdirSync(out + '/' + path, { recursive: true })
        writeFileSync(out + '/' + path + '/episode.json', ${JSON.stringify(JSON.stringify(episode))})
        return { event: 'episode-sealed', taskId: 'alpha', repetition: 1, attempt: 1, status: 'solved',
          episodeId: '${episode.episodeId}', path: path + '/episode.json' }
      }
      ${run}
    }`,
  )
}

const END = `say({ event: 'run-ended', sealed: 1, void: 0, resultPath: 'x' })`

/** Messages that webhooks received. */
const told: Notification[] = []

async function execute(signal = new AbortController().signal, tries = 0, more = {}) {
  const db = database()
  const payload = { suiteId: 'sample', subject: 'reference', repetitions: 2, ...more }
  await enqueueJob(db, payload, new Date())
  const job = await claimJob(db, { owner: 'w', leaseMs: 60_000, newRunId: runId })
  const boards = new BoardRefresher(db, cachingBuilder(db))
  const notify = (one: Notification) => void told.push(one)
  const ending = await executeJob({ ...job!, tries }, { db, workerId: 'w', signal, boards, notify })
  await boards.settle()
  return ending
}

const keptEpisodes = () => database().episode.count({ where: { runId } })

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = join(dir, 'data')
  process.env.PROOFBOARD_RUNNER = script
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  mkdirSync(join(dir, 'data'))
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach(() => {
  runId = `run_${String(++runs).padStart(8, '0')}`
  told.length = 0
})

describe('executeJob', () => {
  it('keeps what is sealed, makes the board and is done', async () => {
    scriptRunner(`say(seal()); ${END}`)
    expect(await execute()).toMatchObject({ status: 'done' })
    expect(await keptEpisodes()).toBe(1)
    const snapshot = await database().boardSnapshot.findFirst({ where: { suiteId: 'sample' } })
    expect(snapshot?.rowOrder?.split(',')).toHaveLength(1)
  })

  it('says that a run is paused until its provider answers again, also after the worker ended', async () => {
    const [go, end] = [join(dir, 'go'), join(dir, 'end')]
    const waitFor = (file: string) =>
      `while (!existsSync(${JSON.stringify(file)})) await new Promise((r) => setTimeout(r, 20))`
    scriptRunner(`say({ event: 'run-paused', until: '2026-01-02T14:05:00.000Z', reason: 'rate limit' })
      ${waitFor(go)}
      say({ event: 'attempt-started', taskId: 'alpha', repetition: 1, attempt: 1, path: 'x' })
      ${waitFor(end)}
      say(seal()); ${END}`)
    const reason = async () =>
      (await database().job.findFirst({ where: { newRunId: runId } }))?.reason
    const pause = 'paused until 2026-01-02 14:05 UTC: rate limit'
    const worker = new AbortController()
    const first = execute(worker.signal)
    await vi.waitFor(async () => expect(await reason()).toBe(pause), 10_000)
    worker.abort()
    expect(await first).toMatchObject({ status: 'queued' })
    expect(await reason()).toBe(pause)
    await database().job.deleteMany({ where: { newRunId: runId } })
    const second = execute()
    await vi.waitFor(async () => expect(await reason()).toBe(pause), 10_000)
    writeFileSync(go, '')
    await vi.waitFor(async () => expect(await reason()).toBeNull(), 10_000)
    writeFileSync(end, '')
    expect(await second).toMatchObject({ status: 'done' })
    // Told by each worker that saw it, with one id, so that a receiver can tell that it is the same.
    const message = {
      id: `run-paused:${runId}:${pause}`,
      kind: 'run-paused',
      title: `reference on sample: ${pause}`,
      text: 'The run goes on by itself.',
      url: expect.stringMatching(new RegExp(`/runs/${runId}$`)),
    }
    expect(told).toEqual([expect.objectContaining(message), expect.objectContaining(message)])
  }, 60_000)

  it('is not confused by lines that are not events, and keeps every line', async () => {
    scriptRunner(
      `console.log('garbage {'); console.log('{"event":"unknown"}'); console.error('on stderr'); say(seal()); ${END}`,
    )
    expect(await execute()).toMatchObject({ status: 'done' })
    const log = readFileSync(join(dir, 'data/runs', runId, 'runner.log'), 'utf8')
    expect(log).toContain('garbage {')
    expect(log).toContain('on stderr')
  })

  it('finds an episode that was sealed without an event, or named by a path outside the run', async () => {
    scriptRunner(`say({ ...seal(), path: '../../../../etc/passwd' }); ${END}`)
    expect(await execute()).toMatchObject({ status: 'done' })
    expect(await keptEpisodes()).toBe(1)
  })

  it('is done with void episodes (exit 1 after the end event), not done when exit 1 comes without one', async () => {
    scriptRunner(`say(seal()); ${END}; process.exitCode = 1`)
    expect(await execute()).toMatchObject({ status: 'done' })
    runId = 'run_exitone00'
    scriptRunner(`console.error('the disk is full'); process.exitCode = 1`)
    expect(await execute()).toEqual({ status: 'queued', tries: 1 })
  })

  it('fails at once with the last line of stderr when it was asked wrongly', async () => {
    scriptRunner(
      '',
      `console.error('first'); console.error('unknown subject "x"'); process.exitCode = 2`,
    )
    expect(await execute()).toMatchObject({ status: 'failed', reason: 'unknown subject "x"' })
    expect(existsSync(join(dir, 'data/runs', runId, 'plan.json'))).toBe(false)
  })

  it('reports the message of an uncaught error, not what Node.js prints below it', async () => {
    scriptRunner(`throw Object.assign(new Error('no module "x"'), { code: 'E', at: [1] })`)
    expect(await execute(undefined, 2)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/: Error: no module "x"$/),
    })
  })

  it('gives up after three tries without an episode, and restarts the count after one', async () => {
    scriptRunner(`process.exitCode = 3`)
    expect(await execute(undefined, 1)).toEqual({ status: 'queued', tries: 2 })
    runId = 'run_thirdtry0'
    const given = await execute(undefined, 2)
    expect(given).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('the runner ended with exit code 3'),
    })
    runId = 'run_progress0'
    scriptRunner(`seal(); process.kill(process.pid, 'SIGKILL')`)
    expect(await execute(undefined, 2)).toEqual({ status: 'queued', tries: 1 })
    expect(await keptEpisodes()).toBe(1)
  })

  it('has more patience with a runner that is killed, and then closes what it left open', async () => {
    const killed = `const mark = out + '/runner.pid'
      if (existsSync(mark)) { rmSync(mark); seal() }
      else { writeFileSync(mark, '999999999 -'); process.kill(process.pid, 'SIGKILL') }`
    scriptRunner(killed)
    expect(await execute(undefined, 2)).toEqual({ status: 'queued', tries: 3 })
    expect(await keptEpisodes()).toBe(0)
    runId = 'run_twenty00'
    scriptRunner(killed)
    const given = await execute(undefined, 19)
    expect(given).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('20 tries without a new episode: the runner was ended by'),
    })
    expect(await keptEpisodes()).toBe(1)
  })

  it('gives up what killed twenty workers, without another try', async () => {
    scriptRunner('seal()')
    expect(await execute(undefined, 20)).toMatchObject({
      status: 'failed',
      reason: 'given up after 20 tries without a new episode: the worker was killed',
    })
    expect(await keptEpisodes()).toBe(0)
  })

  it("closes the runner's stdin when the worker has to end, and puts the job back", async () => {
    scriptRunner(
      `say(seal()); process.stdin.resume().on('end', () => process.exit(0)); setInterval(() => {}, 1000)`,
    )
    const controller = new AbortController()
    const ended = execute(controller.signal)
    await vi.waitUntil(async () => (await keptEpisodes()) === 1, { timeout: 30_000, interval: 50 })
    controller.abort()
    expect(await ended).toEqual({ status: 'queued', tries: 0 })
    expect(await keptEpisodes()).toBe(1)
  })

  it('hands the spend cap on, and fails with its reason when it is reached', async () => {
    scriptRunner(
      `say(seal()); say({ event: 'spend-cap-reached', reason: 'spent ' + at('--spend-cap') }); ${END}`,
    )
    const ending = await execute(undefined, 0, { spendCapMicroUsd: 1_500_000 })
    expect(ending).toMatchObject({ status: 'failed', reason: 'spent 1.500000' })
    expect(await keptEpisodes()).toBe(1)
  })

  describe('another machine stored an attempt of the same slot first, as void', () => {
    const directory = () => `runs/${runId}/episodes/alpha/r1-a1`
    const own = () => join(dir, 'data', directory(), 'episode.json')
    const sealed = (changes: Parameters<typeof sampleEpisode>[0] = {}) => {
      const taskDigest = plan.tasks[0]!.digest
      const episode = { runId, suiteDigest: suite.digest, taskDigest, ...changes }
      return JSON.stringify(sampleEpisode(episode, plan))
    }
    const storeElsewhere = async () => {
      const local = { provenance: 'local' as const, directory: directory(), receivedAt: new Date() }
      await saveRun(database(), { ...local, runId, plan, jobId: null }, new Date())
      const outcome = { status: 'void', fault: 'infrastructure', reason: 'killed' } as const
      const failure = { outcome, failureCategory: 'infrastructure' } as const
      const other = sealed({ ...failure, episodeId: `ep_${'e'.repeat(32)}` })
      await saveEpisode(database(), other, local)
    }
    const statuses = async () => {
      const rows = await database().episode.findMany({ where: { runId } })
      return rows.map(({ attempt, status }) => `${attempt} ${status}`).sort()
    }
    /** Seals attempt 1 if there is none, else attempt 2. */
    const retryingRunner = (wait = '') => {
      const second = sealed({ episodeId: `ep_${'f'.repeat(32)}`, attempt: 2 })
      scriptRunner(`
        const path = out + '/episodes/alpha/r1-a2'
        if (existsSync(out + '/episodes/alpha/r1-a1/episode.json')) {
          mkdirSync(path, { recursive: true })
          writeFileSync(path + '/episode.json', ${JSON.stringify(second)})
        } else { ${wait}; say(seal()) }
        ${END}`)
    }

    it('before it looked: its own attempt is set aside and the slot is run again', async () => {
      retryingRunner()
      await storeElsewhere()
      mkdirSync(dirname(own()), { recursive: true })
      writeFileSync(own(), sealed())
      expect(await execute()).toMatchObject({ status: 'done' })
      expect(await statuses()).toEqual(['1 void', '2 solved'])
      const aside = readdirSync(join(dir, 'data/runs', runId, 'superseded/alpha'))
      expect(aside).toEqual([expect.stringMatching(/^r1-a1-\d+$/)])
    })

    it('while it ran: the job is not done before the slot was run again', async () => {
      const go = join(dir, `go-${runId}`)
      retryingRunner(
        `while (!existsSync(${JSON.stringify(go)})) await new Promise((r) => setTimeout(r, 20))`,
      )
      const first = execute()
      await vi.waitFor(
        () => expect(readdirSync(join(dir, 'data/runs', runId))).toContain('runner.log'),
        10_000,
      )
      await storeElsewhere()
      writeFileSync(go, '')
      expect(await first).toMatchObject({ status: 'queued' })
      await database().job.deleteMany({ where: { newRunId: runId } })
      expect(await execute()).toMatchObject({ status: 'done' })
      expect(await statuses()).toEqual(['1 void', '2 solved'])
    })
  })

  it('refuses a plan that was edited after it was frozen', async () => {
    const edited = JSON.stringify(JSON.stringify({ ...plan, repetitions: 7 }))
    scriptRunner(END, `writeFileSync(at('--out'), ${edited})`)
    expect(await execute(undefined, 2)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('edited'),
    })
  })
})
