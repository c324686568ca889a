import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { BUNDLE_KIND, type EpisodeBody } from '#lib/domain/record/index.ts'
import { sampleQuantile } from '#lib/domain/statistics/index.ts'
import { settleEnv } from '#lib/env.ts'
import { commitResults } from '#lib/server/ingest/commit-results.ts'
import { previewResults } from '#lib/server/ingest/preview-results.ts'
import { readUploadBody } from '#lib/server/ingest/read-body.ts'
import { sampleContract, sampleEpisode, samplePlan } from '../factories/samples.ts'
import { temporaryDatabase } from '../factories/temporary-database.ts'

const MIB = 1024 * 1024

/**
 * Prints the time to import a thousand episodes, and the memory that the largest body takes. Measurements, not a test.
 */
export async function main(): Promise<void> {
  await measureIngest('1,000 episodes', { count: 1000, padding: 1000 })
  await measureIngest('a body near the limit', { count: 8000, padding: 10_000 })
  await measureRealIngest()
}

/** Warm-up imports, after which frequent code is compiled, as on a running server. */
const COLD = 2
const WARM = 5

/** Imports envelopes of about 13 kB, mostly assertions, like those of an exercise with many tests. */
export async function measureRealIngest(): Promise<void> {
  const rates: number[] = []
  for (let time = 0; time < COLD + WARM; time++)
    rates.push(await measureIngest('1,000 real episodes', { count: 1000, tests: 85 }))
  const warm = sampleQuantile(rates.slice(COLD), 0.5) ?? 0
  process.stdout.write(
    `real episodes a CPU-second, median of the last ${WARM} imports: ${Math.round(warm)}  goal ${GOAL}${warm >= GOAL ? '' : '  missed'}\n`,
  )
}

const GOAL = 1500

/** `padding`: characters in each envelope besides its usual two thousand; `tests`: assertions of each, all passed. */
type Sizes = { count: number; padding?: number; tests?: number }

/** Returns the number of episodes committed per second of CPU time. */
async function measureIngest(name: string, sizes: Sizes): Promise<number> {
  const { count } = sizes
  const { db, dir, close } = await temporaryDatabase()
  process.env.PROOFBOARD_DATA_DIR = dir
  settleEnv(process.cwd())
  mkdirSync(join(dir, 'uploads'))
  const file = join(dir, 'uploads', 'body')
  const body = await readUploadBody(Readable.from(bundleText(sizes)), { file })
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const actor = { kind: 'console', id: null, name: 'console' } as const
  const order = { body, provenance: 'manual', actor, now: new Date() } as const
  const times: number[] = []
  const busy: number[] = []
  let start = performance.now()
  let cpu = process.cpuUsage()
  const preview = await previewResults(db, order)
  times.push(performance.now() - start)
  busy.push(cpuMs(cpu))
  start = performance.now()
  cpu = process.cpuUsage()
  const done = await commitResults(db, { ...order, expected: preview.digest })
  times.push(performance.now() - start)
  busy.push(cpuMs(cpu))
  clearInterval(watch)
  const [previewed, committed] = times.map(
    (ms, index) => `${Math.round(ms)} ms (${Math.round(busy[index] ?? 0)} of processor)`,
  )
  const size = (body.sentBytes / MIB).toFixed(1)
  const rate = (1000 * count) / (busy[1] ?? 0)
  process.stdout.write(
    `${name}: ${done.preview.counts.new} of ${count} ${done.status}, ${size} MiB; preview ${previewed}, commit ${committed}; ` +
      `${Math.round(rate)} episodes a CPU-second; memory ${Math.round(before / MIB)} → ${Math.round(peak / MIB)} MiB\n`,
  )
  await close()
  rmSync(dir, { recursive: true, force: true })
  return rate
}

/** CPU time of both cores, because wall time depends on what else the machine does. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Streams a bundle, so that the bench itself buffers none of it. */
function* bundleText({ count, padding = 0, tests = 0 }: Sizes): Generator<Buffer> {
  const plan = samplePlan({
    repetitions: 1000,
    tasks: Array.from({ length: Math.ceil(count / 1000) }, (_, index) => ({
      taskId: `task-${index}`,
      digest: digestBytes(`task-${index}`),
      category: 'text',
    })),
  })
  const { environment } = sampleEpisode()
  const shell = { kind: BUNDLE_KIND, schemaVersion: 1, runId: 'run_bench00001', plan }
  const head = JSON.stringify({ ...shell, lock: environment, shard: { index: 1, count: 1 } })
  yield Buffer.from(`${head.slice(0, -1)},"episodes":[`)
  for (let index = 0; index < count; index++) {
    const taskId = `task-${Math.floor(index / 1000)}`
    const slot = {
      runId: 'run_bench00001',
      taskId,
      taskDigest: digestBytes(taskId),
      repetition: (index % 1000) + 1,
    }
    const ending = tests > 0 ? solvedBy(tests, taskId) : unsolvedWith(padding)
    const episode = sampleEpisode({ ...slot, ...ending }, plan)
    yield Buffer.from((index > 0 ? ',' : '') + JSON.stringify(episode))
  }
  yield Buffer.from(']}')
}

function solvedBy(tests: number, taskId: string): Partial<EpisodeBody> {
  const names = Array.from({ length: tests }, (_, index) => `${taskId} > works ${index + 1}`)
  return { contract: sampleContract(names) }
}

function unsolvedWith(padding: number): Partial<EpisodeBody> {
  return {
    outcome: { status: 'unsolved', reason: 'x'.repeat(padding) },
    failureCategory: 'test-failure',
    contract: {
      verdict: 'fail',
      assertions: [],
      expectedTests: 8,
      executedTests: 8,
      passedTests: 1,
    },
    testSuccess: false,
    overallSuccess: false,
  }
}
