// @ts-check
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { ensureBuilt, ensureGenerated } from '../build.mjs'
import { ensureInstalled } from '../ensure-installed.mjs'
import { explainDataFolder, explainSuites, explainTemporaryFolder } from '../folders.mjs'
import { hostInUrl } from '../host.mjs'
import { DEFAULT_DATA_FOLDER, PACKAGE, ROOT } from '../layout.mjs'
import { runCommand } from '../process.mjs'
import {
  checkNode,
  formatElapsed,
  reportFailure,
  SetupFailure,
  showProgress,
  timeStep,
} from '../progress.mjs'
import { takeKeys } from '../take-keys.mjs'
import { NEEDS_PERSON } from './exit-codes.mjs'
import { refuseTakenPort } from './listen.mjs'
import { supervise } from './supervise.mjs'
import { watchParents } from './watch-parents.mjs'
import { webMemory } from './web-memory.mjs'

const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 0, SIGHUP: 0 }
/**
 * Ctrl-C reaches both npm and this process, and npm passes it on: a second signal within this time is the same request.
 */
const SAME_SIGNAL_MS = 1000
const NEXT = 'node_modules/next/dist/bin/next'
/** Next's own server in a standalone folder, which reads its address from its environment only. */
const STANDALONE = 'server.js'

/**
 * Runs `npm start` (mode `start`) or `npm run dev` (mode `dev`): set up, serve, stop. Returns the exit code.
 * @param {'start' | 'dev'} mode
 * @returns {Promise<number>}
 */
export async function runServers(mode) {
  const startedAt = performance.now()
  takeKeys()
  const say = (/** @type {string} */ line) => console.log(line)
  const stopping = new AbortController()
  const hurrying = new AbortController()
  let exitCode = 0
  let askedAt = 0
  for (const [name, code] of Object.entries(SIGNAL_EXITS)) {
    process.on(name, () => {
      if (!stopping.signal.aborted) {
        askedAt = performance.now()
        exitCode = code
        say('\n  stopping … (press again to stop immediately)')
        return stopping.abort()
      }
      if (performance.now() - askedAt > SAME_SIGNAL_MS) hurrying.abort()
    })
  }
  const unwatch = watchParents(() => {
    say('\n  what started this server has ended: stopping …')
    stopping.abort()
  })
  // Ignore errors of output: a closed terminal must not stop an orderly shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { signal } = stopping
  try {
    const nodeProblem = checkNode(process.versions.node)
    if (nodeProblem !== null) throw new SetupFailure(nodeProblem)
    refuseFewFiles()
    refuseClosedFolders()
    const address = readAddress(process.env)
    const roles = readRoles(process.env)
    const isWeb = roles.includes('web')
    if (isWeb) await refuseTakenPort(address)
    await prepare(mode, isWeb, signal, say)
    await supervise({
      roles,
      address,
      signal,
      hurry: hurrying.signal,
      ...chooseWebServer(mode, address),
      say,
      onReady: () =>
        say(
          `  ready in ${formatElapsed(performance.now() - startedAt)}: ${isWeb ? address.url : 'a worker alone'}  (Ctrl-C stops)`,
        ),
    })
    return exitCode
  } catch (error) {
    if (signal.aborted) return exitCode
    return reportFailure(error)
  } finally {
    unwatch()
  }
}

/**
 * Prepares everything that the servers need.
 * @param {'start' | 'dev'} mode
 * @param {boolean} isWeb a worker needs no production build
 * @param {AbortSignal} signal
 * @param {(line: string) => void} say
 */
async function prepare(mode, isWeb, signal, say) {
  say(`proofboard on node ${process.versions.node}`)
  // Next's development server needs the types of React.
  const packages = mode === 'dev' ? 'all' : 'core'
  await timeStep('packages', () => ensureInstalled({ packages, signal }), say)
  await timeStep('database client', () => ensureGenerated({ signal }), say)
  if (mode === 'start' && isWeb)
    await timeStep('production build', () => ensureBuilt({ signal }), say)
  await migrateDatabase(isWeb, signal, say)
}

const MIGRATE = ['runner/cli/proofboard.mjs', 'database', 'migrate']

/**
 * Migrates the database before a server opens it, however long that takes.
 * @param {boolean} isWeb a worker alone waits for a database that it cannot reach yet
 * @param {AbortSignal} signal
 * @param {(line: string) => void} say
 */
async function migrateDatabase(isWeb, signal, say) {
  const progress = showProgress('database')
  const { code, output } = await runCommand(process.execPath, MIGRATE, { signal })
  progress.stop()
  if (signal.aborted) throw new SetupFailure('stopped')
  const lines = output.trim().split('\n')
  if (code !== 0 && (isWeb || code === NEEDS_PERSON))
    throw new SetupFailure(`proofboard cannot start: ${lines.at(-1)}`)
  for (const [at, line] of lines.entries())
    say(`  ${(at === 0 ? 'database' : '').padEnd(18)} ${line}`)
}

/**
 * Returns Next's command in a clone, or its standalone server in a folder that `npm run pack -- --server` made.
 * @param {'start' | 'dev'} mode
 * @param {Address} address
 * @returns {{ webArgs: string[], env: Record<string, string> }}
 */
function chooseWebServer(mode, { host }) {
  if (mode === 'dev') return { webArgs: [NEXT, mode], env: { NODE_ENV: 'development' } }
  const { options, env } = webMemory(process.env)
  if (PACKAGE === null) return { webArgs: [...options, NEXT, mode], env }
  return { webArgs: [...options, STANDALONE], env: { ...env, HOSTNAME: host } }
}

/** Minimum open files. Web server and worker alone use about 150; connections, runners and browsers add to that. */
const MIN_FILES = 512

/**
 * Throws a one-line SetupFailure before servers fail to load their own programs. Node has raised the limit as far as it
 * may.
 */
function refuseFewFiles() {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })
  const most = Number.parseInt(stdout ?? '', 10)
  if (Number.isNaN(most) || most >= MIN_FILES) return
  throw new SetupFailure(
    `only ${most} files may be open at a time, and the server needs ${MIN_FILES}: raise the limit (\`ulimit -n 4096\`, or LimitNOFILE of its service) and start again`,
  )
}

/** Throws a one-line SetupFailure before servers fail to read their suites or write their data. */
function refuseClosedFolders() {
  const problem =
    explainTemporaryFolder() ??
    explainDataFolder(resolve(ROOT, process.env.PROOFBOARD_DATA_DIR || DEFAULT_DATA_FOLDER)) ??
    explainSuites(join(ROOT, 'exercises'))
  if (problem !== null) throw new SetupFailure(problem)
}

/**
 * @typedef {object} Address
 * @property {number} port
 * @property {string} host
 * @property {string} url what a person opens
 * @property {string} probeUrl where this machine reaches it for sure
 */

const ROLES = /** @type {const} */ (['web', 'worker'])

/**
 * Returns the servers to run here: PROOFBOARD_SERVERS, `web`, `worker` or (default) both. Several machines on one
 * PostgreSQL may each run one of them.
 * @param {Record<string, string | undefined>} env
 * @returns {readonly ('web' | 'worker')[]}
 */
export function readRoles(env) {
  const text = env.PROOFBOARD_SERVERS?.trim() || ROLES.join(',')
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !ROLES.some((role) => role === word))
  if (unknown !== undefined) {
    throw new SetupFailure(
      `PROOFBOARD_SERVERS=${text} is not known: use web, worker, or web,worker`,
    )
  }
  return ROLES.filter((role) => words.includes(role))
}

/** Not reachable from other machines. */
const LOOPBACK = '127.0.0.1'

/**
 * Returns the address to listen on: PORT (default 3000) and HOST (default: this machine only).
 * @param {Record<string, string | undefined>} env
 * @returns {Address}
 */
export function readAddress(env) {
  const text = env.PORT?.trim() || '3000'
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new SetupFailure(`PORT=${text} is not a port: use a number from 1 to 65535`)
  }
  const host = env.HOST?.trim() || undefined
  const name = hostInUrl(host)
  return {
    port,
    host: host ?? LOOPBACK,
    url: `http://${name}:${port}`,
    probeUrl: `http://${name === 'localhost' && host !== 'localhost' ? LOOPBACK : name}:${port}`,
  }
}
