// @ts-check
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isProgram, listOnPath } from '../../setup/ensure-program.mjs'
import { ROOT } from '../../setup/layout.mjs'
import { lastLines, runCommand } from '../../setup/process.mjs'
import { NO_TESTS, skipAll } from './closing-line.mjs'
import { withTemporary } from './with-temporary.mjs'

/** A machine to run `npm test` on: the clone's folder, a command to start it with, and variables. */
/** @typedef {{ clone: string, argv?: string[], env?: Record<string, string | undefined> }} Machine */

/** A user without any files. */
const PLAIN = '65534'
const OWN_NAMESPACE = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c']
/** A path covered by /dev/null cannot be executed. */
const HIDE =
  'while [ "$1" != -- ]; do mount --bind /dev/null "$1" || exit; shift; done; shift; exec "$@"'
const INSTALLED = ['bwrap', 'chromium', 'chromium-headless-shell', 'chromedriver']
const INSTALLERS = ['apt-get', 'sudo']

/** Machines without preparation for the tests. The last one changes the owner of the clone. */
/** @type {Record<string, (folder: string, clone: string) => Promise<Machine>>} */
const MACHINES = {
  'no-programs': async (_, clone) => ({ clone, argv: hide([...INSTALLED, ...INSTALLERS]) }),
  'node-22': (folder, clone) => withNode('22', folder, clone),
  'node-24': (folder, clone) => withNode('24', folder, clone),
  locale: async (_, clone) => ({ clone, env: { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' } }),
  'node-in-home': async (folder, clone) => {
    const bin = join(folder, 'home', '.nvm', 'versions', 'node', process.version, 'bin')
    mkdirSync(bin, { recursive: true })
    cpSync(process.execPath, join(bin, 'node'))
    return { clone, argv: hide(['node']), env: { PATH: inFront(bin) } }
  },
  'plain-user': async (folder, clone) => {
    const home = join(folder, 'prüf stand')
    mkdirSync(home)
    renameSync(clone, join(home, 'clone'))
    await orThrow('chown', ['-R', '-h', `${PLAIN}:${PLAIN}`, home])
    const user = ['setpriv', '--reuid', PLAIN, '--regid', PLAIN, '--clear-groups']
    const argv = [...user, 'sh', '-c', 'umask 077; exec "$@"', 'sh']
    // Folders of root in PATH would be closed to this user.
    const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
    return { clone: join(home, 'clone'), argv, env: { HOME: home, PATH } }
  },
}

/**
 * Runs `npm test` in a copy of this clone, as on each machine in PROOFBOARD_TEST_UNPREPARED, or on all. A machine
 * passes if no test failed.
 * @returns {Promise<import('./closing-line.mjs').Tally>}
 */
export async function testUnprepared() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return skipAll('root on Linux')
  const chosen = process.env.PROOFBOARD_TEST_UNPREPARED?.split(',') ?? Object.keys(MACHINES)
  return withTemporary(async (folder) => {
    const clone = join(folder, 'clone')
    await copyClone(clone)
    const failed = []
    let passed = 0
    for (const [name, prepare] of Object.entries(MACHINES)) {
      if (!chosen.includes(name)) continue
      if (await testOn(name, await prepare(folder, clone))) passed += 1
      else failed.push(`npm test on ${name}`)
    }
    return { ...NO_TESTS, passed, failed }
  })
}

const SHOWN_LINES = 300

/** Runs `npm test` on a machine and prints its last line, or more when it failed. @param {string} name @param {Machine} machine */
async function testOn(name, { clone, argv = [], env = {} }) {
  const [program = 'npm', ...args] = [...argv, 'npm', 'test']
  const { code, output } = await runCommand(program, args, {
    cwd: clone,
    env: { PROOFBOARD_TEST_NIGHT: undefined, TMPDIR: undefined, ...env },
  })
  const last = output.trim().split('\n').at(-1) ?? ''
  const isGreen = code === 0 && / 0 failed/.test(last)
  console.log(isGreen ? `${name}: ${last}` : `${name}\n${lastLines(output, SHOWN_LINES)}`)
  return isGreen
}

/** Copies the files of this clone that git tracks, and its packages. @param {string} clone */
async function copyClone(clone) {
  const { output } = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
  ])
  for (const name of output
    .split('\n')
    .filter((one) => one !== '' && existsSync(join(ROOT, one)))) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    cpSync(join(ROOT, name), join(clone, name), { verbatimSymlinks: true })
  }
  await orThrow('cp', ['-a', join(ROOT, 'node_modules'), join(clone, 'node_modules')])
  await orThrow('git', ['-C', clone, 'init', '--quiet'])
  await orThrow('git', ['-C', clone, 'add', '--all'])
}

/** @param {string[]} names @returns {string[]} a command that runs another one as if these were not installed */
function hide(names) {
  const paths = listOnPath(process.env, names).filter(isProgram)
  return [...OWN_NAMESPACE, HIDE, 'sh', ...paths, '--']
}

/** @param {string} version @param {string} folder @param {string} clone @returns {Promise<Machine>} */
async function withNode(version, folder, clone) {
  const name = `node-${process.platform}-${process.arch}`
  const place = join(folder, `node-${version}`)
  mkdirSync(place)
  await orThrow('npm', ['install', '--prefix', place, '--no-audit', `${name}@${version}`])
  return { clone, env: { PATH: inFront(join(place, 'node_modules', name, 'bin')) } }
}

/** @param {string} folder */
const inFront = (folder) => [folder, process.env.PATH].join(delimiter)

/** @param {string} program @param {string[]} args */
async function orThrow(program, args) {
  const { code, output } = await runCommand(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`)
}
