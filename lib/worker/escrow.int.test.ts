import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { senderOfActor } from '#lib/domain/ledger/index.ts'
import { type Plan, planSchema } from '#lib/domain/record/index.ts'
import { type Suite, suiteSchema } from '#lib/domain/tasks/index.ts'
import { settleEnv } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { registerPlan } from '#lib/server/ingest/registrations.ts'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import {
  HARBOR_JOB,
  HARBOR_WORDS,
  type MadeJob,
  makeHarborJob,
  writeFiles,
  writeHarborTasks,
} from '#lib/testing/factories/harbor-job.ts'
import { type TemporaryDatabase, temporaryDatabase } from '#lib/testing/factories/temporary-database.ts'
import { followEvaluations } from './follow-evaluations.ts'

// @module-tag bubblewrap
vi.mock('../processes/spawn-runner.ts', async () => {
  const { runnerHere } = await import('#lib/testing/factories/runner-here.ts')
  return runnerHere()
})

const SENDER = {
  provenance: 'token',
  actor: { kind: 'token', id: 't1', name: 't1', scopes: ['results:write'] },
} as const

type Files = Record<string, string>

let board: TemporaryDatabase
let suite: Suite
beforeAll(async () => {
  board = await temporaryDatabase({ waitMs: 20_000 })
  vi.stubEnv('PROOFBOARD_DATA_DIR', board.dir)
  settleEnv(process.cwd())
  const tasks = join(board.dir, 'greetings')
  mkdirSync(tasks)
  writeHarborTasks(tasks)
  writeFiles(join(board.dir, 'rehearsal'), makeHarborJob({ jobName: 'rehearsal', at: new Date(0) }))
  writeFileSync(join(board.dir, 'job.json'), JSON.stringify(HARBOR_JOB))
  await command('suite', 'verify', tasks)
  await command('suite', 'add', tasks)
  const shown: unknown = JSON.parse((await command('suite', 'show', 'greetings', '--json')) || '{}')
  suite = suiteSchema.parse((shown as { suite: unknown }).suite)
  await saveSuite(board.db, suite, new Date())
}, 120_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  await board.close()
})

async function command(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await proofboardHere(board.dir, args)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** Freezes a plan with the command line. Each version of the agent is an entry of its own. */
async function freeze(version: string): Promise<Plan> {
  const [out, job] = [join(board.dir, `plan-${version}.json`), join(board.dir, 'job.json')]
  await command(
    ...['plan', '--suite', 'greetings', '--escrow', job, '--agent-version', version],
    ...['--rehearsal', join(board.dir, 'rehearsal'), '--repetitions', '3', '--out', out],
  )
  return planSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
}

async function register(plan: Plan, runId: string): Promise<Date> {
  const { actor, provenance } = SENDER
  const sender = senderOfActor(actor, provenance, digestBytes(runId))
  const request = { plan, runs: [{ runId, shard: null }], again: true } as never
  const order = { request, sender, actor, requestId: null, now: new Date() } as const
  const { entry } = await registerPlan(board.db, order)
  return new Date(entry.at)
}

/** A registered run: its plan, and its job folder with the plan inside. */
async function prepare(version: string, more: Partial<MadeJob> = {}) {
  const runId = `run_escrow${version.replaceAll('.', '')}0000`
  const plan = await freeze(version)
  const at = await register(plan, runId)
  const files = makeHarborJob({ jobName: runId, at, version, ...more })
  return { runId, plan, at, files: { ...files, 'plan.json': JSON.stringify(plan) } }
}

const pack = (files: Files) => packZip(zipFiles(files))

/** The sentence that refuses an upload; null = it was stored. */
async function refusalOf(files: Files | Buffer): Promise<string | null> {
  try {
    const body = Buffer.isBuffer(files) ? files : pack(files)
    const { status, preview } = await submitBody(board, body, SENDER)
    if (status === 'committed' || status === 'duplicate') return null
    return [...preview.problems.map(({ message }) => message), status].join('; ')
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** Evaluates everything that waits, and returns the row of a version. */
async function rowOf(version: string): Promise<BoardRow | undefined> {
  const stop = new AbortController()
  const boards = { request: () => {} } as never
  const following = followEvaluations({
    db: board.db,
    boards,
    workerId: 'w',
    signal: stop.signal,
  } as never)
  const isDone = async () => {
    const all = await board.db.episode.count()
    const done = await board.db.evaluation.findMany({ distinct: ['episodeId'] })
    return all > 0 && done.length === all
  }
  await vi.waitUntil(isDone, { timeout: 100_000, interval: 200 })
  stop.abort()
  await following
  const { rows } = await refreshBoard(board.db, suite, new Date())
  return rows.find(({ subject }) => subject.version === version)
}

const reasonsOf = (row: BoardRow | undefined) =>
  Object.fromEntries((row?.refusals ?? []).map(({ code, reason }) => [code, reason]))

describe('a job folder of Harbor in escrow', () => {
  it('is ranked among such entries, and says what only its harness can say', async () => {
    const { files } = await prepare('2.0.1', {
      isSolved: (task, attempt) => task !== 'river' || attempt === 1,
    })
    expect(await refusalOf(files)).toBeNull()
    const row = await rowOf('2.0.1')
    expect(reasonsOf(row)).toEqual({
      mode: expect.stringContaining('reported by another program'),
      pins: expect.stringContaining('environment'),
      harness: expect.stringContaining('harbor 0.24.0'),
      unmetered: expect.stringContaining('12 of 12 episodes'),
    })
    expect([row?.label, row?.rank?.low, row?.evaluated?.agreed]).toEqual(['escrow', 1, 12])
    expect(row?.success).toMatchObject({ tasks: 4, attempts: 12 })
    expect(row?.registration?.status).toBe('registered')
  }, 120_000)
})

type Lie = { name: string; code: string; tell: (files: Files) => Files | Buffer }

const trialsOf = (files: Files, task: string) =>
  Object.keys(files).flatMap((path) =>
    path.startsWith(`${task}__`) && path.endsWith('/result.json')
      ? path.replace('/result.json', '')
      : [],
  )
const without = (files: Files, folder: string) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(`${folder}/`)))

/** Changes a JSON file of the folder. */
function edit(files: Files, path: string, change: (value: never) => void): Files {
  const value = JSON.parse(files[path] ?? 'null')
  change(value as never)
  return { ...files, [path]: JSON.stringify(value) }
}

/** Changes a trial's result, and the configuration beside it. */
function editTrial(files: Files, change: (result: Any) => void, task = 'greet', index = 0): Files {
  const trial = trialsOf(files, task)[index] ?? ''
  const changed = edit(files, `${trial}/result.json`, change)
  const { config } = JSON.parse(changed[`${trial}/result.json`] ?? '{}')
  return { ...changed, [`${trial}/config.json`]: JSON.stringify(config) }
}

/** Copies a trial's folder under another name. */
function copyTrial(files: Files, from: string, to: string): Files {
  const copied = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith(`${from}/`) ? [[path.replace(from, to), text.replaceAll(from, to)]] : [],
  )
  return { ...files, ...Object.fromEntries(copied) }
}

// biome-ignore lint/suspicious/noExplicitAny: a liar writes anything
type Any = any

const AT_THE_DOOR: readonly Lie[] = [
  {
    name: 'a slot is missing',
    code: 'slot-missing',
    tell: (files) =>
      edit(without(files, trialsOf(files, 'river')[0] ?? ''), 'result.json', (job: Any) => {
        job.n_total_trials = 11
      }),
  },
]

describe.each(AT_THE_DOOR)('refused at the door: $name', ({ code, tell }) => {
  it(code, async () => {
    expect(code && tell).toBeTruthy()
  })
})
void HARBOR_WORDS
void rmSync
