import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listProcesses } from '#runner/sandbox/process/list-processes.ts'
import { closeDatabase, database, migrateDatabase } from '../../db/database.ts'
import type { Db } from '../../db/db.ts'
import { enqueueJob, findJob, type Job, type JobOptions } from '../../db/job-store.ts'
import { saveSuite } from '../../db/suite-store.ts'
import { planSchema } from '../../domain/record/index.ts'
import { startWorker } from '../../worker/worker.ts'
import { proofboardHere } from './command-here.ts'
import { temporarySuite } from './proofboard-command.ts'
import { sampleSuite } from './samples.ts'

/** A data folder with a suite of two small exercises, a queue, and real workers that a test starts. */
export type RealQueue = {
  dataDir: string
  /** Folder of files that control the commands, whose user may differ from the worker's. */
  signs: string
  startWorker: (settings?: Record<string, string>) => RealWorker
  startHere: () => WorkerHere
  /** Freezes a plan with the real command line and queues it; returns the job and the plan's text. */
  enqueueCommand: (
    options: { command: string; repetitions?: number; concurrency?: number } & JobOptions,
  ) => Promise<{ jobId: string; text: string }>
  job: (jobId: string) => Promise<Job>
  untilStatus: (jobId: string, status: Job['status']) => Promise<Job>
  close: () => Promise<void>
}

export const QUEUE_SUITE = 'queue'

type QueueSettings = {
  tasks?: readonly string[]
  /** Writes another runner into a folder and returns its path. */
  runner?: (folder: string) => string
}

/** Points the environment of this process at the new folder until it is closed; one per test file. */
export async function realQueue({
  tasks = ['lru-cache', 'rate-limiter'],
  runner,
}: QueueSettings = {}): Promise<RealQueue> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-queue-'))
  const signs = mkdtempSync(join(tmpdir(), 'proofboard-signs-'))
  chmodSync(signs, 0o777)
  process.env.PROOFBOARD_DATA_DIR = dataDir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  process.env.PROOFBOARD_FIRST_RUNS = '0'
  if (runner) process.env.PROOFBOARD_RUNNER = runner(signs)
  temporarySuite(dataDir, QUEUE_SUITE, tasks)
  await migrateDatabase()
  await saveSuite(database(), sampleSuite(), new Date()) // not the first boot, so a worker starts its job at once
  const workers: RealWorker[] = []
  const here: WorkerHere[] = []
  const frozenBefore = new Map<string, ReturnType<typeof freezeCommand>>()
  const freezeOnce = (command: string, repetitions: number) => {
    const key = `${repetitions} ${command}`
    const frozen = frozenBefore.get(key) ?? freezeCommand(dataDir, command, repetitions)
    frozenBefore.set(key, frozen)
    return frozen
  }
  const job = async (jobId: string) => {
    const found = await findJob(database(), jobId)
    if (!found) throw new Error(`no job ${jobId}`)
    return found
  }
  return {
    dataDir,
    signs,
    job,
    startWorker: (settings) => {
      const worker = startRealWorker(dataDir, settings)
      workers.push(worker)
      return worker
    },
    startHere: () => {
      const worker = startWorkerHere(database())
      here.push(worker)
      return worker
    },
    enqueueCommand: async ({ command, repetitions = 1, concurrency = 1, ...order }) => {
      const frozen = await freezeOnce(command, repetitions)
      const payload = { suiteId: QUEUE_SUITE, subject: 'test-agent', repetitions, concurrency }
      const jobId = await enqueueJob(database(), payload, new Date(), { ...order, frozen })
      return { jobId, text: frozen.plan }
    },
    untilStatus: async (jobId, status) => {
      await waitUntilTrue(
        `${jobId} is ${status}`,
        async () => (await job(jobId)).status === status,
        90_000,
      )
      return job(jobId)
    },
    close: async () => {
      for (const { child } of workers) child.kill('SIGTERM')
      await Promise.all(workers.map(({ ended }) => ended))
      await Promise.all(here.map(({ stop }) => stop()))
      await closeDatabase()
      for (const folder of [dataDir, signs])
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Freezes a plan of the queue's suite for an agent that is a shell command, with the command line. */
export async function freezeCommand(
  dataDir: string,
  command: string,
  repetitions: number,
): Promise<{ plan: string; planDigest: string }> {
  const file = join(dataDir, 'frozen.json')
  const args = ['plan', '--suite', QUEUE_SUITE, '--command', command, '--name', 'test-agent']
  const settings = ['--subject-version', '1.0.0', '--repetitions', String(repetitions)]
  // The commands read files of this machine.
  settings.push('--isolation', 'local')
  const { code, stderr } = await proofboardHere(dataDir, [...args, ...settings, '--out', file])
  if (code !== 0) throw new Error(stderr)
  const plan = readFileSync(file, 'utf8')
  return { plan, planDigest: planSchema.parse(JSON.parse(plan)).planDigest }
}

/** A worker process on a data folder. */
export type RealWorker = { child: ChildProcess; ended: Promise<number | null> }

export function startRealWorker(
  dataDir: string,
  settings: Record<string, string> = {},
): RealWorker {
  const env = {
    ...process.env,
    PROOFBOARD_DATA_DIR: dataDir,
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_LOG_LEVEL: 'error',
    ...settings,
  }
  const child = spawn(process.execPath, ['lib/worker/worker.mjs'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ended }
}

export type WorkerHere = { stop: () => Promise<void> }

/** Starts a worker in this process, which is faster: for tests of what workers do, not of how they start and end. */
export function startWorkerHere(db: Db): WorkerHere {
  const controller = new AbortController()
  const { signal } = controller
  const ended = startWorker({ db, workerId: `worker_${randomUUID()}`, signal })
  return {
    stop: () => {
      controller.abort()
      return ended
    },
  }
}

/** Running processes of a run: agents, browsers, servers. */
export function processesOf(runId: string): number[] {
  const mark = `PROOFBOARD_RUN=${runId}-`
  const own = listProcesses().filter(({ environment }) => environment.includes(mark))
  return own.map(({ pid }) => pid)
}

/** Polls until the condition is true; throws with `what` after the time limit. */
export async function waitUntilTrue(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await isTrue())) {
    if (performance.now() > deadline)
      throw new Error(`waited ${limitMs} ms until ${what}, which did not happen`)
    await pause(100)
  }
}
