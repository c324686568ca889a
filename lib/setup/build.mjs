// @ts-check

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { explainUnwritable } from './folders.mjs'
import { PACKAGE, ROOT } from './layout.mjs'
import { holdLock, lastLines, runCommand, SET_UP_LOCK, WHO_MAY } from './process.mjs'
import { SetupFailure, showProgress } from './progress.mjs'

const SITE_SOURCES = [
  'app',
  'components',
  'lib',
  'prisma',
  'public',
  'instrumentation.ts',
  'proxy.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const NOT_BUILT =
  /\.(test|e2e)\.tsx?$|^lib\/(setup|testing|db\/generated|server\/(console|static))\//

/**
 * Builds the web application for production when a source of it changed.
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether it was built
 */
export function ensureBuilt({ signal } = {}) {
  return refresh({
    label: 'production build',
    stampPath: join(ROOT, '.next', 'proofboard-sources'),
    hash: hashSite,
    exists: isBuilt,
    make: () => buildSite({ env: isBuilt() ? {} : { NEXT_FIRST_BUILD: '1' }, signal }),
  })
}

const isBuilt = () => existsSync(join(ROOT, '.next', 'BUILD_ID'))
const hashSite = () => hashSources(ROOT, SITE_SOURCES, (path) => !NOT_BUILT.test(path))

/**
 * Runs `next build`. Builds of the same sources have the same build id, and ids of server actions depend only on their
 * files and names, so separately built servers accept each other's pages and forms, and a page that is open during an
 * upgrade keeps its forms.
 * @param {{ env: Record<string, string>, signal?: AbortSignal | undefined }} options
 */
export function buildSite({ env, signal }) {
  return runCommand(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_BUILD_ID: hashSite().slice(0, 20),
      // Next hashes the ids of actions with this key, so it is public. A running server encrypts with a key of its
      // board (lib/server/http/boot-server.ts).
      NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: createHash('sha256')
        .update('action ids')
        .digest('base64'),
      ...env,
    },
    signal,
  })
}

const OUTPUT = join(ROOT, 'lib', 'db', 'generated')
const CLIENT_SOURCES = ['prisma', 'package-lock.json']

/**
 * Generates the database clients, one for each database, from prisma/ when a schema changed.
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether it was generated
 */
export function ensureGenerated({ signal } = {}) {
  return refresh({
    label: 'database client',
    stampPath: join(OUTPUT, '.sources'),
    hash: () => hashSources(ROOT, CLIENT_SOURCES, (path) => !path.endsWith('.sql')),
    exists: () => existsSync(join(OUTPUT, 'sqlite')) && existsSync(join(OUTPUT, 'postgresql')),
    make: async () => {
      rmSync(OUTPUT, { recursive: true, force: true })
      const [sqlite, postgresql] = await Promise.all([
        generate('sqlite', signal),
        generate('postgresql', signal),
      ])
      return sqlite.code === 0 ? postgresql : sqlite
    },
  })
}

/** @param {string} dialect @param {AbortSignal | undefined} signal */
function generate(dialect, signal) {
  return runCommand(process.execPath, ['prisma/generate.mjs', dialect], { signal })
}

/** @typedef {import('./process.mjs').CommandResult} CommandResult */
/**
 * @typedef {object} Product something made from sources
 * @property {string} label
 * @property {string} stampPath where the hash of its sources is stored
 * @property {() => string} hash of the current sources
 * @property {() => boolean} exists
 * @property {() => Promise<CommandResult>} make
 */

/**
 * Rebuilds a product when its sources changed. Of two concurrent processes, one builds it.
 * @param {Product} product
 * @returns {Promise<boolean>} whether it was made
 */
async function refresh(product) {
  if (PACKAGE !== null || isFresh(product)) return false
  const onWait = (/** @type {number} */ pid) =>
    process.stderr.write(`  another setup (pid ${pid}) is running: waiting\n`)
  return holdLock(SET_UP_LOCK, () => (isFresh(product) ? Promise.resolve(false) : make(product)), {
    onWait,
  })
}

/** @param {Product} product */
function isFresh({ exists, stampPath, hash }) {
  try {
    return exists() && readFileSync(stampPath, 'utf8').trim() === hash()
  } catch {
    return false
  }
}

/** @param {Product} product */
async function make({ label, stampPath, hash, make }) {
  const closed = explainUnwritable(dirname(stampPath))
  if (closed !== null) throw new SetupFailure(`${label} is not up to date: ${closed}. ${WHO_MAY}`)
  // Taken before: a source that changes meanwhile makes the product stale at once.
  const before = hash()
  rmSync(stampPath, { force: true })
  const progress = showProgress(label)
  const { code, output } = await make().finally(() => progress.stop())
  if (code !== 0) throw new SetupFailure(`${label} failed (exit ${code}).`, lastLines(output, 40))
  mkdirSync(dirname(stampPath), { recursive: true })
  writeFileSync(stampPath, `${before}\n`)
  return true
}

/**
 * Hashes the names and bytes of all files in `places` (files or folders below `root`; absent ones count as absent).
 * Modification times do not matter.
 * @param {string} root
 * @param {string[]} places
 * @param {(path: string) => boolean} [counts] whether to include a file, by its path from `root`
 */
export function hashSources(root, places, counts = () => true) {
  const hash = createHash('sha256')
  for (const path of places.flatMap((place) => listFiles(join(root, place))).sort()) {
    const name = relative(root, path).replaceAll('\\', '/')
    if (!counts(name)) continue
    const bytes = readFileSync(path)
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || entry.isFile() ? listFiles(join(path, entry.name)) : [],
  )
}
