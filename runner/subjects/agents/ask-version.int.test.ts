import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listProcesses } from '../../sandbox/process/list-processes.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { askAgentVersion } from './agent-program.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const VERSION = { version: { args: ['--version'], pattern: '(\\d+\\.\\d+\\.\\d+)' } }

function program(script: string): string {
  const path = join(root, 'agent')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('askAgentVersion', () => {
  it.each([
    ['on stdout', 'echo "agent $1 1.2.3 (7)"', '1.2.3'],
    ['on stderr, with an exit code', 'echo 1.2.3 >&2; exit 4', '1.2.3'],
    ['not at all', 'exit 0', null],
    ['in words', 'echo the newest', null],
    ['while it waits for input', 'cat; echo 1.2.3', '1.2.3'],
  ])('reads what is said %s', async (_, script, version) => {
    expect(
      (await askAgentVersion(VERSION, { binary: program(script), node: null }, RUNNER_ENV)).version,
    ).toBe(version)
  })

  it('asks in a fresh HOME without our secrets, and leaves neither processes nor folders', async () => {
    vi.stubEnv('PROOFBOARD_TEST_SECRET', '9.9.9')
    vi.stubEnv('TMPDIR', join(root, 'tmp')) // other tests query other programs at the same time
    mkdirSync(tmpdir())
    const script = 'setsid sleep 77 & env | grep -qF 9.9.9 || echo "1.2.3"; touch "$HOME/x"'
    expect(
      (await askAgentVersion(VERSION, { binary: program(script), node: null }, RUNNER_ENV)).version,
    ).toBe('1.2.3')
    const own = `HOME=${join(tmpdir(), 'proofboard-version-')}`
    expect(listProcesses().filter((one) => one.environment.includes(own))).toEqual([])
    expect(readdirSync(tmpdir())).toEqual([])
  })
})
