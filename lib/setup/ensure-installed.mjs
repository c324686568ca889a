// @ts-check

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE, ROOT } from './layout.mjs'
import { holdLock, lastLines, runCommand, SET_UP_LOCK } from './process.mjs'
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
  const command = commandFor(packages)
  say(
    command[0] === 'ci'
      ? 'installing packages (once per clone, about a minute)'
      : 'adding the packages of tests, larger browser libraries and third-party apps (once per clone)',
  )
  const progress = showProgress('packages')
  const { code, output, durationMs } = await runCommand('npm', [...command, ...ARGS], { signal })
  progress.stop()
  if (code !== 0) {
    throw new SetupFailure(
      `\`npm ${command.join(' ')}\` failed (exit ${code}). ${explainInstallFailure(output)}`,
      lastLines(output, 20),
    )
  }
  writeStamp(packages)
  say(`packages installed in ${formatElapsed(durationMs)}`)
  return true
}

/** `npm ci` removes what is there, so packages are added to a core that a server may be using. @param {Packages} packages */
function commandFor(packages) {
  if (packages === 'core') return ['ci', '--omit=dev']
  return isInstalled('core') ? ['install', '--no-save', '--include=dev'] : ['ci', '--include=dev']
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}  ${line}\n`)
}

const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.proofboard-install')

/** Whether node_modules holds what package-lock.json asks for, for this machine. @param {Packages} packages */
function isInstalled(packages) {
  const lockText = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const stamp = read(STAMP)
  if (stamp === stampOf(lockText, 'all') || stamp === stampOf(lockText, packages)) return true
  if (!isLaid(lockText, packages)) return false
  writeStamp(packages === 'core' && isLaid(lockText, 'all') ? 'all' : packages)
  return true
}

/** Packages may have been installed by hand: npm keeps a list of what it installed. @param {string} lockText @param {Packages} packages */
function isLaid(lockText, packages) {
  const laid = read(join(MODULES, '.package-lock.json'))
  if (laid === null) return false
  return listDifferences(JSON.parse(lockText), JSON.parse(laid), packages).length === 0
}

/** Records that the packages of the present lock are in place. @param {Packages} packages */
function writeStamp(packages) {
  writeFileSync(STAMP, stampOf(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), packages))
}

/** @param {string} lockText @param {Packages} packages */
function stampOf(lockText, packages) {
  const hash = createHash('sha256').update(lockText).digest('hex')
  return `${hash} ${process.platform} ${process.arch} ${packages}\n`
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** @typedef {{ packages: Record<string, { version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }> }} Lock */

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
