// @ts-check

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE, ROOT } from './layout.mjs'
import { holdLock, lastLines, runCommand, SET_UP_LOCK } from './process.mjs'
import { formatElapsed, SetupFailure, showProgress } from './progress.mjs'

const ARGS = [
  'ci',
  '--include=dev',
  '--foreground-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=notice',
]

/**
 * Makes sure that the packages are there, as package-lock.json says; costs a few milliseconds when they are.
 * Uses nothing but node, and says nothing on stdout. Throws a SetupFailure. What is installed serves every version of
 * node, because all that is compiled comes ready-made and keeps to node's stable binary interface.
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensureInstalled({ signal } = {}) {
  if (PACKAGE !== null || isInstalled()) return false
  const onWait = (/** @type {number} */ pid) =>
    say(`another setup (pid ${pid}) is running: waiting`)
  const installUnlessDone = () => (isInstalled() ? Promise.resolve(false) : install(signal))
  return holdLock(SET_UP_LOCK, installUnlessDone, { onWait })
}

/** @param {AbortSignal | undefined} signal */
async function install(signal) {
  say('installing packages (once per clone, about a minute)')
  const progress = showProgress('packages')
  const { code, output, durationMs } = await runCommand('npm', ARGS, { signal })
  progress.stop()
  if (code !== 0) {
    throw new SetupFailure(
      `\`npm ci\` failed (exit ${code}). ${explainInstallFailure(output)}`,
      lastLines(output, 20),
    )
  }
  writeStamp()
  say(`packages installed in ${formatElapsed(durationMs)}`)
  return true
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}  ${line}\n`)
}

const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.proofboard-install')

/** Whether node_modules holds what package-lock.json asks for, for this machine. */
function isInstalled() {
  const lockText = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  if (read(STAMP) === stampOf(lockText)) return true
  if (!isLaid(lockText)) return false
  writeStamp()
  return true
}

/** Packages may have been installed by hand: npm keeps a list of what it installed. @param {string} lockText */
function isLaid(lockText) {
  const laid = read(join(MODULES, '.package-lock.json'))
  return laid !== null && listDifferences(JSON.parse(lockText), JSON.parse(laid)).length === 0
}

/** Records that the packages of the present lock are in place. */
function writeStamp() {
  writeFileSync(STAMP, stampOf(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
}

/** @param {string} lockText */
function stampOf(lockText) {
  const hash = createHash('sha256').update(lockText).digest('hex')
  return `${hash} ${process.platform} ${process.arch}\n`
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }> }} Lock */

/**
 * Paths whose installed version is not the one that the lock asks for. Optional packages may be absent.
 * @param {Lock} lock package-lock.json
 * @param {Lock} laid node_modules/.package-lock.json, which npm writes last
 * @returns {string[]}
 */
export function listDifferences(lock, laid) {
  return Object.entries(lock.packages)
    .filter(([path, { version, optional, devOptional, peer }]) => {
      const there = laid.packages[path]
      if (path === '') return false
      if (there === undefined) return !(optional || devOptional || peer)
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
