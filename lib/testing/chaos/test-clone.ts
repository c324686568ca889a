import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import type { CommandEnd } from '../factories/proofboard-command.ts'

/** A user that owns no files. */
const PLAIN = 65_534
const AS_PLAIN = ['setpriv', `--reuid=${PLAIN}`, `--regid=${PLAIN}`, '--clear-groups']
const COPIED = ['exercises', 'lib', 'runner', 'package.json', 'package-lock.json', 'tsconfig.json']

/** A copy of the clone with its own history, whose permissions and owner a test can change. */
export type TestClone = {
  root: string
  data: string
  temporary: string
  /** Runs the copy's command line, as root or, after `giveAway`, as an ordinary user. */
  run: (args: readonly string[], env?: Record<string, string>) => Promise<CommandEnd>
  /** Gives everything to an ordinary user, who then runs all commands. */
  giveAway: () => void
  /** Runs the copy's command line as an ordinary user that owns only a HOME with a data and a temporary folder. */
  runAsOther: (args: readonly string[], env?: Record<string, string>) => Promise<CommandEnd>
  /** HOME of that user. */
  otherHome: string
  remove: () => void
}

/** @param name of its folder */
export function createTestClone(name = 'clone'): TestClone {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-clone-'))
  const clone = join(root, name)
  const [data, temporary] = [join(root, 'data'), join(root, 'tmp')]
  for (const path of [clone, data, temporary]) mkdirSync(path)
  for (const name of COPIED)
    cpSync(join(PROJECT_ROOT, name), join(clone, name), { recursive: true })
  // Runs at level local close suites to other users.
  openFolder(join(clone, 'exercises'))
  for (const suite of ['browser', 'repository', 'typescript'])
    openFolder(join(clone, 'exercises', suite))
  linkPackages(join(clone, 'node_modules'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, ...args], { stdio: 'ignore' })
  git('init', '--quiet')
  git('add', 'exercises', 'package.json')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '-qm', 'exercises')
  openFolder(join(clone, '.git'))
  for (const path of [root, clone, temporary]) chmodSync(path, 0o755)
  let isGiven = false
  const start = (args: readonly string[], isPlain: boolean, env: Record<string, string>) => {
    const cli = [process.execPath, join(clone, 'runner', 'cli', 'proofboard.mjs'), ...args]
    const [program = '', ...rest] = isPlain ? [...AS_PLAIN, ...cli] : cli
    const child = spawn(program, rest, {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', ...env } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return ending(child)
  }
  const places = { HOME: root, TMPDIR: temporary, PROOFBOARD_DATA_DIR: data }
  const run: TestClone['run'] = (args, env = {}) => start(args, isGiven, { ...places, ...env })
  const otherHome = join(root, 'other')
  const runAsOther: TestClone['run'] = (args, env = {}) => {
    const own = { TMPDIR: join(otherHome, 'tmp'), PROOFBOARD_DATA_DIR: join(otherHome, 'data') }
    for (const path of Object.values(own)) mkdirSync(path, { recursive: true })
    const isRoot = process.getuid?.() === 0
    if (isRoot) execFileSync('chown', ['-R', `${PLAIN}:${PLAIN}`, otherHome])
    return start(args, isRoot, { HOME: otherHome, ...own, ...env })
  }
  const giveAway = () => {
    if (process.getuid?.() !== 0) return // already an ordinary user
    execFileSync('chown', ['-R', '-h', `${PLAIN}:${PLAIN}`, root])
    isGiven = true
  }
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { root: clone, data, temporary, run, giveAway, runAsOther, otherHome, remove }
}

/** Opens a folder to all users, as in a fresh clone. */
function openFolder(path: string): void {
  chmodSync(path, 0o755)
}

/** Links every package. The cache is copied, because programs are run from it. */
function linkPackages(folder: string): void {
  mkdirSync(folder)
  const source = join(PROJECT_ROOT, 'node_modules')
  for (const name of readdirSync(source))
    if (name !== '.cache') symlinkSync(join(source, name), join(folder, name))
}

function ending(child: ReturnType<typeof spawn>): Promise<CommandEnd> {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

/** Targets of a search. It gets every path, so that only permissions protect the files. */
type Hunt = { clone: string; data: string; temporary: string; key: string; word: string }

/** The files that could be read. */
export type HuntResult = Record<
  'key' | 'environment' | 'secret' | 'database' | 'reference' | 'history' | 'others' | 'runs',
  boolean
>

/** A shell command that searches as an agent would and prints one line: `FOUND {…}`. Needs only node. */
export function huntCommand(hunt: Hunt): string {
  // Split in halves, so that the search does not match its own input.
  const { key, ...rest } = hunt
  const output = { ...rest, halves: [key.slice(0, 9), key.slice(9)] }
  const script = Buffer.from(HUNT.replace('HUNT', JSON.stringify(output))).toString('base64')
  return `echo ${script} | base64 -d > "$TMPDIR/hunt.mjs" && node "$TMPDIR/hunt.mjs"`
}

export function readHuntResult(log: string): HuntResult {
  const line = log.split('\n').find((one) => one.startsWith('FOUND '))
  if (!line) throw new Error(`the hunter said nothing: ${log.slice(0, 500)}`)
  return JSON.parse(line.slice('FOUND '.length))
}

const HUNT = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
const { clone, data, temporary, halves, word } = HUNT
const key = halves.join('')
const read = (path) => { try { return readFileSync(path, 'latin1') } catch { return '' } }
const list = (path) => { try { return readdirSync(path) } catch { return [] } }
const below = (path, depth) => depth === 0 ? [] : list(path).flatMap((name) => [join(path, name), ...below(join(path, name), depth - 1)])
writeFileSync('own-work.txt', 'attempt-' + process.pid)
await sleep(3000)
const processes = list('/proc').filter((name) => /^\\d+$/.test(name))
const shown = processes.map((pid) => read('/proc/' + pid + '/environ') + read('/proc/' + pid + '/cmdline')).join('\\n')
const own = process.cwd()
const files = (places, depth) => places.flatMap((place) => below(place, depth)).map((path) => [path, read(path)])
const found = {
  key: shown.includes(key) || files([data, process.env.HOME, process.env.TMPDIR], 4).some(([, text]) => text.includes(key)),
  environment: Object.values(process.env).some((value) => value.includes(key)),
  secret: read(join(data, 'auth-secret')).includes(word),
  database: read(join(data, 'proofboard.db')).includes(word),
  reference: read(join(clone, 'exercises/typescript/lru-cache/.meta/reference.ts')).length > 0,
  history: list(join(clone, '.git/objects')).length > 0 || read(join(clone, '.git/HEAD')).length > 0,
  runs: list(join(data, 'runs')).length > 0,
  others: files([temporary, '/tmp'], 4).some(([path, text]) => path.endsWith('own-work.txt') && !path.startsWith(own) && text.startsWith('attempt-')),
}
console.log('FOUND ' + JSON.stringify(found))
`
