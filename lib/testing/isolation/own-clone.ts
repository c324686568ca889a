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
import type { CommandEnd } from '../proofboard-command.ts'

/** A user that owns nothing on any machine. */
const PLAIN = 65_534
const COPIED = ['exercises', 'lib', 'runner', 'package.json', 'package-lock.json', 'tsconfig.json']

/** A copy of the clone with a history of its own, whose permissions a test may change, and which it may give away. */
export type OwnClone = {
  root: string
  data: string
  temporary: string
  /** Runs the copy's command line, as root or, once it was given away, as a plain user. */
  run: (args: readonly string[], env?: Record<string, string>) => Promise<CommandEnd>
  /** Makes everything a plain user's, who runs all that follows. */
  giveAway: () => void
  remove: () => void
}

export function ownClone(): OwnClone {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-clone-'))
  const clone = join(root, 'clone')
  const [data, temporary] = [join(root, 'data'), join(root, 'tmp')]
  for (const path of [clone, data, temporary]) mkdirSync(path)
  for (const name of COPIED)
    cpSync(join(PROJECT_ROOT, name), join(clone, name), { recursive: true })
  openFolder(join(clone, 'exercises'))
  linkPackages(join(clone, 'node_modules'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, ...args], { stdio: 'ignore' })
  git('init', '--quiet')
  git('add', 'exercises', 'package.json')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '-qm', 'exercises')
  openFolder(join(clone, '.git'))
  for (const path of [root, clone, temporary]) chmodSync(path, 0o755)
  let isGiven = false
  const run: OwnClone['run'] = (args, env = {}) => {
    const cli = [process.execPath, join(clone, 'runner', 'cli', 'proofboard.mjs'), ...args]
    const plain = ['setpriv', '--reuid', String(PLAIN), '--regid', String(PLAIN), '--clear-groups']
    const [program = '', ...rest] = isGiven ? [...plain, ...cli] : cli
    const places = { HOME: root, TMPDIR: temporary, PROOFBOARD_DATA_DIR: data }
    const child = spawn(program, rest, {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', ...places, ...env } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return ending(child)
  }
  const giveAway = () => {
    if (process.getuid?.() !== 0) return // a plain user already
    execFileSync('chown', ['-R', '-h', `${PLAIN}:${PLAIN}`, root])
    isGiven = true
  }
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { root: clone, data, temporary, run, giveAway, remove }
}

/** As a fresh clone has them: open to everybody. */
function openFolder(path: string): void {
  chmodSync(path, 0o755)
}

/** Every package is a link; the cache is the copy's own, because programs are run out of it. */
function linkPackages(folder: string): void {
  mkdirSync(folder)
  const source = join(PROJECT_ROOT, 'node_modules')
  for (const name of readdirSync(source))
    if (name !== '.cache') symlinkSync(join(source, name), join(folder, name))
}

function ending(child: ReturnType<typeof spawn>): Promise<CommandEnd> {
  const told = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      told[name] += text
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...told })))
}
