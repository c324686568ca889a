// @ts-check
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines, runCommand } from './process.mjs'
import { SetupFailure, showProgress } from './progress.mjs'

const APT = '/usr/bin/apt-get'
const INSTALL = ['install', '-y', '--no-install-recommends']
/** Timeout of downloads, short for machines without a network. */
const TIMEOUTS = ['http', 'https'].flatMap((kind) => ['-o', `Acquire::${kind}::Timeout=20`])

/**
 * A program of the system: how to find its path, the distribution's package that has it, further packages that may be
 * missing, and one sentence that says how to install it.
 * @typedef {{ find: () => string | null, package: string, optional?: string[], advice: string }} Program
 */

/**
 * Returns the path of a program; installs the distribution's package where that is allowed: for root on Debian and
 * Ubuntu (a container, a CI machine), or on request. Throws a SetupFailure that says what to install.
 * @param {Program} program
 * @returns {Promise<string>}
 */
export async function ensureProgram({ find, package: name, optional = [], advice }) {
  const found = find()
  if (found !== null) return found
  if (!mayInstall()) throw new SetupFailure(advice)
  const failure = await installPackage(name)
  if (failure !== null) throw new SetupFailure(`${failure.message}. ${advice}`, failure.output)
  for (const one of optional) await installPackage(one)
  const installed = find()
  if (installed === null) throw new SetupFailure(advice)
  return installed
}

/** Ensures the sandbox that most tests of agents and solutions use. Throws a SetupFailure that says what to install. */
export function ensureBubblewrap() {
  return ensureProgram({
    find: () => findOnPath(process.env, ['bwrap']),
    package: 'bubblewrap',
    advice: 'No bubblewrap was found: install it (Debian: apt-get install bubblewrap).',
  })
}

/** Ensures the engine for tests of containers, and the tool that makes its base image. Throws a SetupFailure. */
export async function ensureDocker() {
  const advice =
    'No Docker engine was found: install it (Debian: apt-get install docker.io debootstrap).'
  const find = (/** @type {string} */ name) => () => findOnPath(process.env, [name])
  await ensureProgram({ find: find('dockerd'), package: 'docker.io', advice })
  await ensureProgram({ find: find('debootstrap'), package: 'debootstrap', advice })
}

/** Returns the path of Debian's nginx, which is not in the PATH of plain users; null = it is not installed. */
export function findNginx() {
  return findOnPath({ PATH: `${process.env.PATH}${delimiter}/usr/sbin` }, ['nginx'])
}

/** Ensures the proxy of deploy/nginx.conf. Throws a SetupFailure that says what to install. */
export function ensureNginx() {
  const advice = 'No nginx was found: install it (Debian: apt-get install nginx-light).'
  return ensureProgram({ find: findNginx, package: 'nginx-light', advice })
}

/**
 * Finds the first program with one of these names in PATH.
 * @param {Record<string, string | undefined>} env @param {readonly string[]} names
 */
export function findOnPath(env, names) {
  return listOnPath(env, names).find(isProgram) ?? null
}

/** @param {Record<string, string | undefined>} env @param {readonly string[]} names */
export function listOnPath(env, names) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function mayInstall() {
  if (!isProgram(APT)) return false
  return process.getuid?.() === 0 || process.env.PROOFBOARD_INSTALL_BROWSER === '1'
}

/** @typedef {{ message: string, output: string }} AptFailure */

/** One update of the package lists in this process. @type {Promise<AptFailure | null> | undefined} */
let updated

/** @param {string} name @returns {Promise<AptFailure | null>} */
async function installPackage(name) {
  const progress = showProgress(`installing the package ${name}`)
  try {
    updated ??= runApt(['update'])
    return (await updated) ?? (await runApt([...INSTALL, name]))
  } finally {
    progress.stop()
  }
}

/** @param {string[]} args @returns {Promise<AptFailure | null>} */
async function runApt(args) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const [command = APT, ...rest] = [...sudo, APT, ...TIMEOUTS, ...args]
  const { code, output } = await runCommand(command, rest, {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (code === 0) return null
  return { message: `\`apt-get ${args.join(' ')}\` failed`, output: lastLines(output, 15) }
}
