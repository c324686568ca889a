import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSkilledAgent } from '#lib/testing/factories/skilled-model.ts'
import { lacking } from '#lib/testing/needs.ts'
import { ROOT } from '../layout.mjs'
import { runCommand } from '../process.mjs'

const MAX_MEGABYTES = 80
const MAX_SECONDS = 20

const folder = mkdtempSync(join(tmpdir(), 'proofboard-package-'))
const project = join(folder, 'project')
const PACKAGE = join(project, 'node_modules', 'proofboard')
const env = {
  HOME: join(folder, 'home'),
  XDG_CACHE_HOME: join(folder, 'home', 'cache'),
  PROOFBOARD_DATA_DIR: undefined,
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const registry = await askRegistry()

/** Null = the registry responds; else what is missing. */
async function askRegistry(): Promise<string | null> {
  const args = ['view', 'esbuild@0.28.2', 'version', '--fetch-retries=0', '--fetch-timeout=15000']
  const { code } = await runCommand('npm', args, { cwd: tmpdir() })
  return code === 0 ? null : 'the npm registry'
}

/** The installed command in the empty project's folder. */
const proofboard = (...args: string[]) => proofboardIn(project, ...args)

async function proofboardIn(cwd: string, ...args: string[]) {
  const { code, output } = await runCommand('npx', ['--no-install', 'proofboard', ...args], {
    cwd,
    env,
  })
  return { code, output }
}

const lastJson = (output: string): Record<string, unknown> =>
  JSON.parse(
    output
      .trim()
      .split('\n')
      .findLast((line) => line.startsWith('{')) ?? '{}',
  )

function megabytesOf(path: string): number {
  return Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1024
}

describe('the package that npm run pack makes', lacking(registry), () => {
  let installSeconds = 0

  beforeAll(async () => {
    mkdirSync(project)
    mkdirSync(env.HOME)
    const packed = await runCommand('node', ['lib/setup/pack/pack.mjs', '--out', folder])
    expect(packed.output).toContain('proofboard-')
    expect(packed.code).toBe(0)
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    const args = ['install', join(folder, file), '--no-audit', '--no-fund']
    const installed = await runCommand('npm', args, { cwd: project, env })
    expect(installed.code, installed.output).toBe(0)
    installSeconds = installed.durationMs / 1000
  }, 600_000)

  it('is small, and needs few packages', () => {
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
    const names = Object.entries<{ optional?: boolean; inBundle?: boolean }>(lock.packages)
      .filter(([path, one]) => path !== '' && one.optional !== true && one.inBundle !== true)
      .map(([path]) => path.replace('node_modules/', ''))
    const megabytes = megabytesOf(join(project, 'node_modules'))
    process.stderr.write(
      `installed in ${installSeconds.toFixed(1)} s (goal ${MAX_SECONDS} on a quiet machine): ${megabytes.toFixed(0)} MB, ${names.length} packages: ${names.join(', ')}\n`,
    )
    expect(megabytes).toBeLessThan(MAX_MEGABYTES)
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(next|react|prisma|@prisma|playwright)/)]),
    )
  })

  it('names nothing of the machine that made it, and holds no tests and no keys', () => {
    const files = readdirSync(PACKAGE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const naming = files.filter((path) => readFileSync(path, 'latin1').includes(ROOT))
    expect(naming).toEqual([])
    const ours = files.filter((path) => !path.startsWith(join(PACKAGE, 'node_modules')))
    expect(ours.filter((path) => /\.(map|env|pem|key)$|\.int\.test\.ts$/.test(path))).toEqual([])
  })

  it('says its version, its suites, and what belongs to the server', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect((await proofboard('--version')).output.trim()).toBe(version)
    expect((await proofboard('suite', 'list')).output).toMatch(
      /browser .*\nrepository .*\ntypescript /,
    )
    const backup = await proofboard('backup', 'create')
    expect(backup.code).toBe(2)
    expect(backup.output).toContain('backup is a command of the server')
    const library = await proofboard('run', '--suite', 'browser', '--subject', 'playwright')
    expect(library.output).toMatch(
      /playwright-core is not installed: run npm install playwright-core@\d/,
    )
    expect(library.code).toBe(2)
  })

  it('leads from an empty folder to a page: a task of its own, two runs, what differs', async () => {
    const own = join(project, 'own')
    mkdirSync(own)
    const start = performance.now()
    const play = async (...args: string[]) => {
      const { code, output } = await proofboardIn(own, ...args)
      expect(code, `${args.join(' ')}\n${output}`).toBe(0)
      return output
    }
    await play('init', '--yes', '--agent', 'reference')
    const file = join(own, 'proofboard.yaml')
    const agent = writeSkilledAgent(own)
    const measured = `  - { agent-file: ${JSON.stringify(agent)}, model: scripted }\n`
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/(subjects:\n)[\s\S]*$/, `$1${measured}`),
    )
    expect(await play('run', '--out', 'runs/solves')).toContain('3 of 3 solved')
    writeFileSync(join(own, 'gives-up.json'), JSON.stringify({ turns: [{ say: 'I cannot.' }] }))
    const second = await play('run', '--script', 'gives-up.json', '--out', 'runs/gives-up')
    expect(second).toContain('0 of 3 solved')
    expect(await play('compare', 'runs/solves', 'runs/gives-up')).toMatch(
      /UNDECIDED[\s\S]*title-slug +3 of 3 +0 of 3/,
    )
    await play('publish', 'runs/solves', 'runs/gives-up', '--to', 'site')
    expect(readFileSync(join(own, 'site', 'index.html'), 'utf8')).toContain('own-tasks')
    const seconds = (performance.now() - start) / 1000
    process.stderr.write(`init, run, run, compare, publish: ${seconds.toFixed(0)} s (goal 180)\n`)
  }, 900_000)

  it('runs and checks exercises with the verifier of the clone, and tells a changed file', async () => {
    const args = ['--suite', 'typescript', '--subject', 'reference', '--first', '2', '--json']
    const run = await proofboard('run', ...args)
    expect(lastJson(run.output), run.output).toMatchObject({ solved: 2, unsolved: 0 })
    const [runId = ''] = readdirSync(join(project, '.proofboard', 'runs'))
    const result = join('.proofboard', 'runs', runId, 'result.json')
    const check = await proofboard('check', result, '--json')
    expect(lastJson(check.output), check.output).toMatchObject({ ok: true })
    const { lock } = JSON.parse(readFileSync(join(project, result), 'utf8'))
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
    expect(lock.harness).toMatchObject({ commit: head, dirty: status !== '' })

    writeFileSync(join(PACKAGE, 'runner', 'providers', 'providers.yaml'), '\n', { flag: 'a' })
    const doctor = await proofboard('doctor')
    expect(doctor.output).toContain('uncommitted changes')
  })
})
