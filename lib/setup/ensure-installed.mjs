// @ts-check

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { explainUnwritable } from './folders.mjs'
import { PACKAGE, ROOT } from './layout.mjs'
import { holdLock, lastLines, runCommand, SET_UP_LOCK, WHO_MAY } from './process.mjs'
import { formatElapsed, SetupFailure, showProgress } from './progress.mjs'

const ARGS = ['--foreground-scripts', '--no-audit', '--no-fund', '--loglevel=notice']

/**
 * `core`: the dependencies of package.json, which `npm start` and the runner need. `all`: the devDependencies too,
 * which are what tests need and what is fetched on first use: the larger browser libraries and third-party apps.
 * @typedef {'core' | 'all'} Packages
 */

/**
 * Makes sure that the packages are there, as package-lock.json says; costs a few milliseconds when they are.
 * Uses nothing but node, and says nothing on stdout. Throws a SetupFailure. What is installed serves every version of
 * node, because all that is compiled comes ready-made and keeps to node's stable binary interface.
 * @param {{ packages?: Packages, signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensureInstalled({ packages = 'core', signal } = {}) {
  if (PACKAGE !== null || isInstalled(packages)) return false
  const onWait = (/** @type {number} */ pid) =>
    say(`another setup (pid ${pid}) is running: waiting`)
  const installUnlessDone = () =>
    isInstalled(packages) ? Promise.resolve(false) : install(packages, signal)
  return holdLock(SET_UP_LOCK, installUnlessDone, { onWait })
}

/** @param {Packages} packages @param {AbortSignal | undefined} signal */
async function install(packages, signal) {
  const closed = existsSync(MODULES) ? explainUnwritable(MODULES) : null
  if (closed !== null)
    throw new SetupFailure(`packages are missing or out of date: ${closed}. ${WHO_MAY}`)
  const damaged = listDamaged()
  const command = commandFor(packages, damaged.length > 0)
  say(describeInstall(command, damaged))
  const progress = showProgress('packages')
  const { code, output, durationMs } = await runCommand('npm', [...command, ...ARGS], { signal })
  progress.stop()
  if (code !== 0) {
    throw new SetupFailure(
      `\`npm ${command.join(' ')}\` failed (exit ${code}). ${explainInstallFailure(output)}`,
      lastLines(output, 20),
    )
  }
  writeStamp(command.includes('--include=dev') ? 'all' : packages)
  say(`packages installed in ${formatElapsed(durationMs)}`)
  return true
}

/**
 * `npm ci` removes what is there, so a damaged package is replaced, and packages are added to a core that a server may
 * be using.
 * @param {Packages} packages
 * @param {boolean} isDamaged
 */
function commandFor(packages, isDamaged) {
  const add = ['install', '--no-save']
  if (isDamaged) return [...add, readStamp().kind === 'all' ? '--include=dev' : '--omit=dev']
  if (packages === 'core') return ['ci', '--omit=dev']
  const hasCore = existsSync(HIDDEN_LOCK) && isInstalled('core')
  return hasCore ? [...add, '--include=dev'] : ['ci', '--include=dev']
}

/** @param {string[]} command @param {string[]} damaged */
function describeInstall([command], damaged) {
  if (damaged.length > 0) return `installing packages again that are incomplete: ${damaged[0]}`
  return command === 'ci'
    ? 'installing packages (once per clone, about a minute)'
    : 'adding the packages of tests, larger browser libraries and third-party apps (once per clone)'
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}  ${line}\n`)
}

const MODULES = join(ROOT, 'node_modules')
/** Record of the installation: digest of the lock and kind of packages, then their folders; `+` marks those for development. */
const STAMP = join(MODULES, '.proofboard-install')
/** npm writes it last, with all that it installed. */
const HIDDEN_LOCK = join(MODULES, '.package-lock.json')

/** Returns whether node_modules has the packages of package-lock.json for this machine. @param {Packages} packages */
function isInstalled(packages) {
  const lockText = readLock()
  const { head, core, dev } = readStamp()
  if ([headOf(lockText, 'all'), headOf(lockText, packages)].includes(head))
    return core.every(isPackage) && (packages === 'core' || dev.every(isPackage))
  if (listInstalled(lockText, packages) === null) return false
  writeStamp(packages === 'core' && listInstalled(lockText, 'all') ? 'all' : packages)
  return true
}

/** Folders of packages that were installed for this lock and lost their files since. */
function listDamaged() {
  const { head, kind, core, dev } = readStamp()
  const isCurrent = head === headOf(readLock(), kind) && existsSync(HIDDEN_LOCK)
  return isCurrent ? [...core, ...dev].filter((folder) => !isPackage(folder)) : []
}

/** @param {string} folder from the clone */
function isPackage(folder) {
  return existsSync(join(ROOT, folder, 'package.json'))
}

/**
 * The packages that are there by their folders, if they are all that `packages` needs; else null. They may have been
 * installed by hand. Other package managers than npm keep other lists and lay out only the packages of package.json
 * the same way, so of theirs the versions of those are compared.
 * @param {string} lockText
 * @param {Packages} packages
 * @returns {Lock['packages'] | null}
 */
function listInstalled(lockText, packages) {
  const lock = JSON.parse(lockText)
  const text = read(HIDDEN_LOCK)
  const laid = text === null ? readDirect(lock) : JSON.parse(text)
  const wanted =
    text === null ? { packages: pick(lock.packages, listDirect(lock, packages)) } : lock
  if (listDifferences(wanted, laid, packages).length > 0) return null
  return Object.keys(laid.packages).every(isPackage) ? laid.packages : null
}

/** The packages of package.json as they are installed. @param {Lock} lock @returns {Lock} */
function readDirect(lock) {
  const found = listDirect(lock, 'all').flatMap((path) => {
    const text = read(join(ROOT, path, 'package.json'))
    const dev = lock.packages[path]?.dev === true
    return text === null ? [] : [[path, { version: JSON.parse(text).version, dev }]]
  })
  return { packages: Object.fromEntries(found) }
}

/** @param {Lock} lock @param {Packages} packages */
function listDirect(lock, packages) {
  const { dependencies, devDependencies } = lock.packages[''] ?? {}
  const names = Object.keys({ ...dependencies, ...(packages === 'all' && devDependencies) })
  return names.map((name) => `node_modules/${name}`)
}

/** @template T @param {Record<string, T>} all @param {string[]} names */
function pick(all, names) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** Records that the packages of the present lock are in place; in a clone that cannot be written it is found out again. @param {Packages} packages */
function writeStamp(packages) {
  const lockText = readLock()
  const folders = Object.entries(listInstalled(lockText, packages) ?? {}).map(
    ([folder, { dev }]) => `${dev ? '+' : ''}${folder}`,
  )
  try {
    writeFileSync(STAMP, `${[headOf(lockText, packages), ...folders].join('\n')}\n`)
  } catch (error) {
    if (explainUnwritable(MODULES) === null) throw error
  }
}

/** @returns {{ head: string, kind: Packages, core: string[], dev: string[] }} */
function readStamp() {
  const [head = '', ...lines] = (read(STAMP) ?? '').trim().split('\n')
  return {
    head,
    kind: head.endsWith(' all') ? 'all' : 'core',
    core: lines.filter((line) => !line.startsWith('+')),
    dev: lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
  }
}

/** @param {string} lockText @param {Packages} packages */
function headOf(lockText, packages) {
  const hash = createHash('sha256').update(lockText).digest('hex')
  return `${hash} ${process.platform} ${process.arch} ${packages}`
}

function readLock() {
  return readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** @typedef {{ packages: Record<string, { version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }> }} Lock */

/**
 * Paths whose installed version is not the one that the lock asks for. Optional packages may be absent, and of the core
 * those for development.
 * @param {Lock} lock package-lock.json
 * @param {Lock} laid node_modules/.package-lock.json, which npm writes last
 * @param {Packages} packages
 * @returns {string[]}
 */
export function listDifferences(lock, laid, packages) {
  return Object.entries(lock.packages)
    .filter(([path, { version, dev, optional, devOptional, peer }]) => {
      const there = laid.packages[path]
      if (path === '') return false
      const isFree = optional || devOptional || peer || (dev && packages === 'core')
      if (there === undefined) return !isFree
      return there.version !== version
    })
    .map(([path]) => path)
}

/** Known ways in which an installation fails, and what to do about each. @type {[RegExp, string][]} */
const KNOWN = [
  [/spawn npm ENOENT/, 'npm was not found: install it, or put it into PATH.'],
  [/ENOSPC/, 'The disk is full: free some space (about 1 GB is needed) and try again.'],
  [
    /EACCES|EPERM/,
    'npm cannot write to this folder: check the owner of the folder and its node_modules.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/,
    'The npm registry cannot be reached: check the network or `npm config get registry`.',
  ],
  [
    /node-gyp|gyp ERR/,
    'SQLite comes ready-made for Linux, macOS and Windows; on this machine it has to be compiled: install python3, make and a C++ compiler.',
  ],
  [
    /EUSAGE|in sync/,
    'package-lock.json does not match package.json: run `npm install`, then `node lib/setup/complete-lock.mjs`.',
  ],
  [/EINTEGRITY/, 'A downloaded package is corrupt: run `npm cache clean --force` and try again.'],
]

/**
 * One sentence on what to do after `npm ci` failed.
 * @param {string} output
 */
export function explainInstallFailure(output) {
  const [, advice] = KNOWN.find(([sign]) => sign.test(output)) ?? []
  return advice ?? 'Run `npm ci` to see its full output.'
}
