import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastHeartbeat } from '#lib/db/job-lease.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { NEEDS_PERSON } from '#lib/setup/serve/exit-codes.mjs'
import { pollUntil } from '#lib/testing/factories/proofboard-command.ts'
import { sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
const children = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await temporary.close()
})

/** Saves a suite, as on a server that ran before: the worker starts its jobs at once. */
const saveSuites = () => saveSuite(temporary.db, sampleSuite(), new Date())

/**
 * Returns settings of a runner without suites. Without any in the database there are no boards to compute at the end.
 */
function quickRunner(): Record<string, string> {
  const path = join(temporary.dir, 'quick-runner.mjs')
  writeFileSync(path, `console.log('{"suites":[]}')`)
  return { PROOFBOARD_RUNNER: path }
}

function startWorker(settings: Record<string, string>, preload: readonly string[] = []) {
  const env = {
    ...process.env,
    PROOFBOARD_DATA_DIR: temporary.dir,
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_LOG_LEVEL: 'error',
    ...settings,
  }
  const child = spawn(process.execPath, [...preload, 'lib/worker/worker.mjs'], {
    env,
    stdio: 'pipe',
  })
  children.add(child)
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ended, stderr: () => stderr }
}

async function untilAlive(): Promise<void> {
  while ((await lastHeartbeat(temporary.db, new Date())) === null)
    await new Promise((r) => setTimeout(r, 50))
}

it('ends in order on SIGTERM and signs off', () => endBy('SIGTERM'))
it('ends in order on SIGHUP and signs off', { tags: 'night' }, () => endBy('SIGHUP'))

async function endBy(signal: NodeJS.Signals): Promise<void> {
  await saveSuites()
  const { child, ended } = startWorker({})
  await untilAlive()
  child.kill(signal)
  expect(await ended).toBe(0)
  expect(await lastHeartbeat(temporary.db, new Date())).toBeNull()
}

it('ends at once on a second signal, though its runner does not react', {
  tags: 'night',
}, async () => {
  const ignoresStop = join(temporary.dir, 'deaf-runner.mjs')
  const started = join(temporary.dir, 'started')
  await saveSuites()
  writeFileSync(
    ignoresStop,
    `import { writeFileSync } from 'node:fs'
    process.on('SIGTERM', () => {})
    writeFileSync('${started}', '')
    setTimeout(() => {}, 60_000)`,
  )
  const { child, ended } = startWorker({ PROOFBOARD_RUNNER: ignoresStop })
  await pollUntil(() => existsSync(started))
  child.kill('SIGTERM')
  const first = await Promise.race([ended, pause(1000, 'still there')])
  child.kill('SIGTERM')
  expect([first, await ended]).toEqual(['still there', 130])
})

it('ends in order when its supervisor was killed', { tags: 'night' }, async () => {
  const preload = ['--import', './lib/setup/serve/exit-with-parent.mjs']
  const { child, ended } = startWorker(
    { ...quickRunner(), PROOFBOARD_SUPERVISED: '1', PROOFBOARD_LOG_LEVEL: 'info' },
    preload,
  )
  await untilAlive()
  // Like after a kill: no process reads the worker's output any more either.
  for (const stream of [child.stdout, child.stderr, child.stdin]) stream.destroy()
  expect(await ended).toBe(0)
  expect(await lastHeartbeat(temporary.db, new Date())).toBeNull()
})

it('ends when its supervisor lets go of its stdin', { tags: 'night' }, async () => {
  const { child, ended } = startWorker({ ...quickRunner(), PROOFBOARD_SUPERVISED: '1' })
  await untilAlive()
  child.stdin.end()
  expect(await ended).toBe(0)
})

it('says in one line what is wrong with a database from a newer version', async () => {
  const columns = '"id", "checksum", "migration_name", "finished_at"'
  const values = `'x', 'y', '29990101000000_future', '2999-01-01'`
  await temporary.db.$executeRawUnsafe(
    `INSERT INTO "_prisma_migrations" (${columns}) VALUES (${values})`,
  )
  const { ended, stderr } = startWorker({})
  expect(await ended).toBe(NEEDS_PERSON)
  expect(stderr().trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(stderr())).toMatchObject({ level: 'error', code: 'database-newer' })
  rmSync(temporary.dir, { recursive: true, force: true })
})
