// @ts-check
// Starts the distribution's PostgreSQL for tests: in a new folder, as a plain user, on a free port. Prints one line of
// JSON, { url } or { skipped }, and ends with its standard input, also when its parent was killed.

import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrograms, plainUser } from './postgres-programs.mjs'

const USER = 'proofboard'
const PASSWORD = 'test-only'
/** No data has to survive a crash of the machine, so nothing waits for the disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  log_min_messages: 'fatal',
}
const STARTED_WITHIN_MS = 60_000
const STEP_MS = 100

const folder = mkdtempSync(join(tmpdir(), 'proofboard-postgres-'))
/** @type {import('node:child_process').ChildProcess | undefined} */
let server
let isEnding = false

process.stdin.resume().on('end', end).on('error', end)
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, end)

try {
  say({ url: await serve() })
} catch (error) {
  say({ skipped: error instanceof Error ? error.message : String(error) })
  end()
}

/** Starts the server and returns the address of its first database. @returns {Promise<string>} */
async function serve() {
  const programs = findPrograms()
  if (programs === null)
    throw new Error('PostgreSQL is not installed (Debian: apt install postgresql)')
  const owner = plainUser()
  const data = join(folder, 'data')
  const secret = join(folder, 'password')
  writeFileSync(secret, PASSWORD)
  if (owner) for (const path of [folder, secret]) chownSync(path, owner.uid, owner.gid)
  const env = { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' }
  const made = spawnSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      USER,
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-sync',
      '--no-instructions',
      // A locale that sorts text by language, so that queries that need byte order must request it.
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--locale=C.UTF-8',
    ],
    { env, cwd: folder, encoding: 'utf8', ...owner },
  )
  if (made.status !== 0)
    throw new Error(
      `initdb failed: ${(made.stderr || String(made.error)).trim().split('\n').at(-1)}`,
    )
  const port = await freePort()
  const options = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...options],
    {
      env,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...owner,
    },
  )
  let words = ''
  server.stderr?.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-2000)
  })
  const ended = new Promise((resolve) => server?.once('exit', resolve))
  const deadline = performance.now() + STARTED_WITHIN_MS
  while (!isListening(programs, port)) {
    const isGone = await Promise.race([ended.then(() => true), pause(STEP_MS)])
    if (isGone === true || performance.now() > deadline)
      throw new Error(`PostgreSQL did not start: ${words.trim()}`)
  }
  return `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`
}

/** @param {string} programs @param {number} port */
function isListening(programs, port) {
  return (
    spawnSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
      .status === 0
  )
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
  })
}

function end() {
  if (isEnding) return
  isEnding = true
  const leave = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    process.exit(0)
  }
  if (!server || server.exitCode !== null) return leave()
  server.once('exit', leave)
  // At once, even with open connections.
  server.kill('SIGQUIT')
}

/** @param {object} answer */
function say(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
