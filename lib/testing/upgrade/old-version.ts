import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'

/**
 * The oldest commits, each with different tables, that run with the packages of this clone: SQLite without a compiler,
 * PostgreSQL, board rows in their own table. Earlier ones need a compiler for their SQLite.
 */
export const OLD_COMMITS = ['08461c4b', 'cd916794', 'b9036c2e'] as const

/** Why a commit cannot be started here; null = it can. */
export function findObstacle(commit: string): string | null {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], {
    cwd: PROJECT_ROOT,
  })
  return status === 0 ? null : `the history of this clone is shallow: it does not have ${commit}`
}

/** Checks out a commit in a new folder, with the packages of this clone. */
export function layOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: PROJECT_ROOT, maxBuffer: 1e9 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  linkPackages(folder)
}

/** Copies the current version from disk, with the same packages. */
export function layOutThis(folder: string): void {
  const names = execFileSync('git', ['ls-files'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  for (const name of new Set(names.split('\n').map((path) => path.split('/')[0] ?? '')))
    if (name !== '') cpSync(join(PROJECT_ROOT, name), join(folder, name), { recursive: true })
  linkPackages(folder)
}

/** Reduces a version to its TypeScript suite with these tasks. */
export function keepTasks(folder: string, taskIds: readonly string[]): void {
  const suites = join(folder, 'exercises')
  for (const name of readdirSync(suites).filter((one) =>
    existsSync(join(suites, one, 'suite.json')),
  ))
    if (name !== 'typescript') rmSync(join(suites, name), { recursive: true })
  const suite = join(suites, 'typescript')
  for (const name of readdirSync(suite).filter((one) => existsSync(join(suite, one, '.meta'))))
    if (!taskIds.includes(name)) rmSync(join(suite, name), { recursive: true })
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const modules = resolve(PROJECT_ROOT, 'node_modules')
  // Each version has its own caches and record of what is installed.
  for (const name of readdirSync(modules).filter((one) => !/^\.(cache|proofboard)/.test(one)))
    symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  const lock = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const setup = readFileSync(join(folder, 'lib/setup/ensure-installed.mjs'), 'utf8')
  const kind = setup.includes("'core' | 'all'") ? ' all' : ''
  const stamp = `${lock.digest('hex')} ${process.platform} ${process.arch}${kind}\n`
  writeFileSync(join(folder, 'node_modules', '.proofboard-install'), stamp)
}

/** Runs a command of a version to its end; throws with its output if it fails. */
export function runVersion(
  folder: string,
  args: readonly string[],
  env: Record<string, string>,
): string {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  if (status === 0) return stdout
  throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-2000)}`)
}

/** Starts a worker of a version. */
export function startWorkerOf(folder: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['lib/worker/worker.mjs'], {
    cwd: folder,
    env: { ...process.env, PROOFBOARD_FIRST_RUNS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let message = ''
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const started = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        message += bytes
        if (message.includes('worker started')) done()
      })
    void ended.then(() =>
      fail(new Error(`a worker ended before it worked: ${message.slice(-2000)}`)),
    )
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { started, stop }
}
