import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { bubblewrap } from './bubblewrap.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const AGENT = ['--suite', 'typescript', '--tasks', 'lru-cache', '--command', 'true']
const NO_DAEMON = { DOCKER_HOST: 'unix:///nowhere/docker.sock', DOCKER_CONTEXT: '' }

const proofboard = (args: readonly string[], env: Record<string, string> = {}) =>
  proofboardHere(join(root, 'data'), args, env)

/** Runs in a separate process that sees a changed machine. */
function runBehind(walls: readonly string[], args: readonly string[], more = {}) {
  const cli = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
  const [program = '', ...rest] = [...walls, process.execPath, cli, ...args]
  const data = { PROOFBOARD_DATA_DIR: join(root, 'data') }
  const env = { ...process.env, ...NO_DAEMON, ...data, ...more }
  return spawnSync(program, rest, { env, encoding: 'utf8' })
}

describe('a level that cannot be had is refused before anything runs', () => {
  it.each(['plan', 'run'])('%s: docker without a daemon', async (command) => {
    const out = join(root, 'out')
    const args = [command, ...AGENT, '--isolation', 'docker', '--out', out]
    const { code, stdout, stderr } = await proofboard(args, NO_DAEMON)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/docker is not (installed|available here)/)
    expect(stderr.trim().split('\n').at(-1)).toMatch(/start it|install the package/)
    expect(existsSync(out)).toBe(false)
  })

  it('tells a machine without docker what to install', async () => {
    const args = ['run', ...AGENT, '--isolation', 'docker', '--out', join(root, 'out')]
    const { code, stderr } = await proofboard(args, { ...NO_DAEMON, PATH: join(root, 'nothing') })
    expect(code).toBe(2)
    expect(stderr).toContain('docker is not installed: install the package docker.io')
  })

  it('refuses a sandbox for a control, which starts no program, and an unknown level', async () => {
    const control = [
      'run',
      '--suite',
      'typescript',
      '--subject',
      'nop',
      '--isolation',
      'bubblewrap',
    ]
    expect(await proofboard(control)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('remove --isolation bubblewrap'),
    })
    expect(await proofboard(['run', ...AGENT, '--isolation', 'jail'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--isolation must be one of auto, local, bubblewrap, docker, not "jail"',
      ),
    })
  })

  it('keeps to the level of a frozen plan', async () => {
    const plan = join(root, 'plan.json')
    const local = ['--isolation', 'local']
    const frozen = await proofboard(['plan', ...AGENT, ...local, '--out', plan])
    expect(frozen.code).toBe(0)
    expect(frozen.stderr).toMatch(/^isolation: local \(no sandbox, as asked\): .* not be ranked$/m)
    const { code, stderr } = await proofboard(['run', '--plan', plan, '--isolation', 'bubblewrap'])
    expect(code).toBe(2)
    expect(stderr).toContain('the plan already contains --isolation local: remove it')
  })

  it('is reported by doctor, which considers it normal', async () => {
    const { code, stdout } = await proofboard(['doctor', '--json'], NO_DAEMON)
    const { findings } = lastJson(stdout) as { findings: { check: string; detail: string }[] }
    const levels = findings.filter(({ check }) => check.startsWith('--isolation'))
    expect(levels.map(({ check }) => check)).toEqual([
      '--isolation local',
      '--isolation bubblewrap',
      '--isolation docker',
    ])
    expect(levels[0]?.detail).toBe('ready')
    expect(levels[2]?.detail).toContain('not on this machine')
    expect(code).toBe(0)
  })
})

describe('the default level', () => {
  const levelOf = (out: string) =>
    JSON.parse(readFileSync(out, 'utf8')).settings.isolation as string
  const planned = async (args: readonly string[]) => {
    const out = join(root, 'plan.json')
    const { code, stderr } = await proofboard(['plan', ...args, '--out', out], NO_DAEMON)
    expect(code, stderr).toBe(0)
    return { level: levelOf(out), stderr }
  }
  const plannedBehind = (walls: readonly string[], args: readonly string[]) => {
    const out = join(root, 'plan.json')
    const { status, stderr } = runBehind(walls, ['plan', ...args, '--out', out])
    expect(status, stderr).toBe(0)
    return { level: levelOf(out), stderr }
  }

  it('is local where there is no sandbox, and one sentence says why and what its rows are', async () => {
    // The complete machine, with a bwrap that cannot be started.
    const without = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap']
    const { level, stderr } = plannedBehind(existsSync('/usr/bin/bwrap') ? without : [], AGENT)
    expect(level).toBe('local')
    expect(stderr).toMatch(
      /^isolation: local \(no sandbox; bubblewrap: .+ docker: .+\): .+; rows measured here will not be ranked\n$/,
    )
  })

  it('is the strongest of this machine, told in one line, and frozen in the plan', async () => {
    const { level, stderr } = await planned(AGENT)
    const strongest = (await bubblewrap.available()) === null ? 'bubblewrap' : 'local'
    expect(level).toBe(strongest)
    expect(stderr).toMatch(new RegExp(`^isolation: ${strongest} `))
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is local for a control, which starts no program, and nothing is said', async () => {
    const control = ['--suite', 'typescript', '--tasks', 'lru-cache', '--subject', 'nop']
    expect(await planned(control)).toEqual({ level: 'local', stderr: '' })
  })
})

describe('bubblewrap that is installed and cannot start a sandbox', { tags: 'bubblewrap' }, () => {
  const SAID = 'bwrap: Creating new namespace failed: Operation not permitted'
  const OPTIONAL = { PROOFBOARD_VERIFIER_SANDBOX: 'optional' }
  const walls = () => {
    const closed = join(root, 'bwrap')
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit\necho "${SAID}" >&2\nexit 1\n`
    writeFileSync(closed, script, { mode: 0o755 })
    return ['bwrap', '--dev-bind', '/', '/', '--ro-bind', closed, '/usr/bin/bwrap', '--']
  }
  const run = (more?: Record<string, string>) => {
    const control = ['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--subject', 'nop']
    return runBehind(walls(), [...control, '--out', join(root, 'out')], more)
  }

  it('ends a run before its first episode, with what it said', () => {
    const { status, stderr } = run()
    expect(status).toBe(1)
    const last = stderr.trim().split('\n').at(-1)
    expect(last).toContain('the verifier’s sandbox (bubblewrap) cannot be entered')
    expect(last).toContain(SAID)
    expect(existsSync(join(root, 'out', 'episodes'))).toBe(false)
  })

  it('is a failure for doctor', () => {
    const { status, stdout } = runBehind(walls(), ['doctor', '--json'])
    const { findings } = lastJson(stdout) as { findings: { check: string; ok: boolean }[] }
    expect(findings.filter(({ ok }) => !ok)).toMatchObject([{ check: 'grading' }])
    expect(status).toBe(1)
  })

  it('is done without where that is asked for, and said', () => {
    const { status, stderr } = run(OPTIONAL)
    expect(status, stderr).toBe(0)
    expect(stderr).toMatch(/^grading: solutions run as .+: .*Creating new namespace failed/m)
  })
})
