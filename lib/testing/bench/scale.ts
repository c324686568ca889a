import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { cachingBuilder } from '../../db/cached-boards.ts'
import type { Db } from '../../db/db.ts'
import { claimJob } from '../../db/job-lease.ts'
import { enqueueJob } from '../../db/job-store.ts'
import { openDb } from '../../db/open-db.ts'
import { settleEnv } from '../../env.ts'
import { keepHeapSmall } from '../../worker/board-thread.ts'
import { withTemporary } from '../run/with-temporary.mjs'
import { measureRealIngest } from './ingest.ts'
import { quantileOf } from './logs.ts'
import { makeScaleData, scaleSuite, startScaleRun } from './scale-data.ts'
import { measureCpu, print, readMemory } from './scale-figures.ts'
import { measurePages } from './scale-pages.ts'

const SIZES = '10000,100000,1000000'
const PARTS = 'pages,ingest'
const MB = 1e6

/**
 * Makes databases of these sizes, each in a folder that is removed, and prints every figure with its goal. Figures are
 * CPU times, because wall times depend on what else the machine does. `parts`: what to measure.
 */
export async function main(args: readonly string[], self: string): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: SIZES },
      parts: { type: 'string', default: PARTS },
      refresh: { type: 'string' },
    },
  })
  if (values.refresh !== undefined) return refreshIn(values.refresh)
  const parts = new Set(values.parts.split(','))
  for (const size of values.sizes.split(',').map(Number)) await measureSize(size, self, parts)
  if (parts.has('ingest')) await measureRealIngest()
}

async function measureSize(size: number, self: string, parts: ReadonlySet<string>): Promise<void> {
  await withTemporary(async (dir) => {
    const load = loadavg()[0]?.toFixed(1)
    // Other programs make CPU times longer too.
    process.stdout.write(
      `\n${size.toLocaleString('en-US')} episodes, 200 entries, 25 tasks; load of the machine ${load}\n`,
    )
    const file = join(dir, 'proofboard.db')
    await makeScaleData(file, size)
    print('database', statSync(file).size / MB, 'MB', null)
    // Pages need a board, so this part always comes first.
    const { stdout } = await execa(process.execPath, [self, '--refresh', dir])
    process.stdout.write(`${stdout}\n`)
    if (parts.has('pages')) await measurePages(dir)
  })
}

const MORE = 7
/** Number of measured refreshes, after as many for warm-up. */
const REFRESHES = 30
const QUEUES = [100, 10_000]

/** Runs in a separate process, so that its memory is only that of the board's thread. */
async function refreshIn(dir: string): Promise<void> {
  process.env.PROOFBOARD_DATA_DIR = dir
  settleEnv(process.cwd())
  keepHeapSmall()
  const db = openDb(join(dir, 'proofboard.db'))
  const { suiteId } = scaleSuite()
  const build = cachingBuilder(db)
  print('first board, facts copied', (await measureCpu(() => build(suiteId))) / 1000, 's', null)
  const rebuilt = await measureCpu(() => cachingBuilder(db)(suiteId))
  print('rebuild from nothing', rebuilt / 1000, 's', 60)
  print('memory of rebuilding', (process.resourceUsage().maxRSS * 1024) / MB, 'MB', 1000)
  await measureEpisodes(db, () => build(suiteId))
  print('memory after one more episode, again and again', readMemory(process.pid) / MB, 'MB', 600)
  await measureClaims(db)
  await db.$disconnect()
}

/** Measures a refresh after an episode was stored: the worker's whole work until the board shows it. */
async function measureEpisodes(db: Db, refresh: () => Promise<void>): Promise<void> {
  const suite = scaleSuite()
  const single = { ...suite, tasks: suite.tasks.slice(0, 1) }
  const start = (row: number, name: string, repetitions: number) =>
    startScaleRun(db, repetitions === 1 ? single : suite, {
      row,
      name,
      repetitions,
      isSolved: () => true,
    })
  const measure = async (name: string, goal: number | null, add: (at: number) => Promise<void>) => {
    const times: number[] = []
    for (let at = 0; at < 2 * REFRESHES; at++) {
      await add(at)
      times.push(await measureCpu(refresh))
    }
    const measured = times.slice(REFRESHES)
    print(name, quantileOf(measured, 0.5), 'ms', goal)
    print('  the cheapest tenth of these', quantileOf(measured, 0.1), 'ms', null)
  }
  const alone = async (row: number, name: string) => (await start(row, name, 1))()
  await measure('one more episode, a run of its own', 20, (at) => alone(100, `own${at}`))
  const saveNext = await start(101, 'next', Math.ceil((2 * REFRESHES) / suite.tasks.length))
  await measure('one more episode of a run under way', 20, saveNext)
  await measure('the first of its entry since the start', null, (at) =>
    alone(102 + at, `cold${at}`),
  )
}

/** Jobs that need the whole machine: each claim takes one and leaves the others queued. */
async function measureClaims(db: Db): Promise<void> {
  const now = new Date()
  let queued = 0
  for (const size of QUEUES) {
    for (; queued < size; queued++)
      await enqueueJob(db, { suiteId: 'scale', subject: 'reference', repetitions: 1 }, now)
    const times: number[] = []
    for (let time = 0; time < MORE; time++) {
      const newRunId = `run_claim${size}${time}`
      const claim = { owner: 'bench', leaseMs: 1000, newRunId }
      times.push(await measureCpu(async () => void (await claimJob(db, claim))))
    }
    print(`claim of a job, ${size} queued`, quantileOf(times, 0.5), 'ms', null)
  }
  await db.job.deleteMany({})
}
