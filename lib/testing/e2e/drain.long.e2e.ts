import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import {
  checkStored,
  listBegun,
  listRunFolderIds,
  readEnvelope,
} from '#lib/testing/chaos/kill/check-stored.ts'
import { Feeder, freezePlans } from '#lib/testing/chaos/kill/feed-queue.ts'
import { listTreeProcesses } from '#lib/testing/chaos/kill/processes.ts'
import {
  createTestEnvironment,
  System,
  type TestEnvironment,
} from '#lib/testing/chaos/kill/system.ts'
import { freePort } from '#lib/testing/e2e/start-copy.ts'
import type { Db } from '../../db/db.ts'

const REQUESTS = 40

let ground: TestEnvironment
let db: Db
let system: System

beforeAll(async () => {
  ground = createTestEnvironment()
  db = openDb(ground.database)
  system = new System(ground, await freePort())
  await new Feeder(db, await freezePlans(ground)).fill()
})
afterAll(async () => {
  await system.stop()
  await db.$disconnect()
  rmSync(ground.root, { recursive: true, force: true })
})

const isAgentAtWork = () => listTreeProcesses(ground.root).some(({ kind }) => kind === 'agent')
const unfinished = () => db.job.count({ where: { status: { in: ['queued', 'running'] } } })

async function until(holds: () => Promise<boolean> | boolean, withinMs = 120_000): Promise<void> {
  for (const end = Date.now() + withinMs; !(await holds()); await pause(50))
    if (Date.now() > end) throw new Error('what was waited for did not happen')
}

async function answers(): Promise<boolean> {
  return fetch(`${system.url}/api/v1/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The end of a response: complete, cut off, or not begun. */
async function ask(): Promise<'whole' | 'cut' | 'refused'> {
  const response = await fetch(`${system.url}/methodology`).catch(() => null)
  if (response === null) return 'refused'
  const text = await response.text().catch(() => '')
  return response.status === 200 && text.includes('</html>') ? 'whole' : 'cut'
}

function begunAndNotSealed(): number {
  const begun = listRunFolderIds(ground.dataDir).flatMap((runId) =>
    listBegun(ground.dataDir, runId),
  )
  return begun.filter((attempt) => readEnvelope(ground.dataDir, attempt) === null).length
}

/** Expects the state that every orderly stop must leave. */
async function expectRest(): Promise<void> {
  expect(listTreeProcesses(ground.root)).toEqual([])
  expect(readdirSync(ground.temporary)).toEqual([])
  expect(begunAndNotSealed()).toBe(0)
  expect(await db.job.count({ where: { status: 'running' } })).toBe(0)
  expect(await db.worker.count()).toBe(0)
}

describe('npm start', () => {
  it('drains on SIGTERM: attempts closed, the job back in the queue, answers finished', async () => {
    system.start()
    await until(answers)
    await until(isAgentAtWork)
    const requested = Array.from({ length: REQUESTS }, ask)
    await Promise.race(requested)
    const { code, drainMs } = await system.stop()
    const ends = await Promise.all(requested)
    const whole = ends.filter((end) => end === 'whole').length
    process.stdout.write(
      `SIGTERM under load drained in ${drainMs.toFixed(0)} ms, ${whole} of ${REQUESTS} requests answered\n`,
    )
    expect(code).toBe(0)
    expect(ends).not.toContain('cut')
    expect(await unfinished()).toBeGreaterThan(0)
    await expectRest()
  })

  it('goes on where it stopped, also after the terminal was closed', async () => {
    system.start()
    await until(isAgentAtWork)
    const { code } = await system.stop('SIGHUP')
    expect(code).toBe(0)
    await expectRest()
    system.start()
    await until(async () => (await unfinished()) === 0)
    expect((await system.stop()).code).toBe(0)
    await expectRest()
    const { lost, duplicated, other, slots, scored } = await checkStored(db, ground.dataDir)
    expect({ lost, duplicated, other }).toEqual({ lost: [], duplicated: [], other: [] })
    expect(scored).toBe(slots)
  })
})
