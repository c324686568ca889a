import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { echoAgent } from '#lib/testing/factories/echo-agent.ts'
import {
  comparePackageVersions,
  FROM_PATH,
  findAgentProgram,
  versionRefusal,
} from './find-agent.ts'
import { findWorkingAgent } from './find-working-agent.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function program(path: string): string {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, '#!/bin/sh\n')
  chmodSync(target, 0o755)
  return target
}

const installed = (place: string, version: string) =>
  program(`${place}/echo@${version}/node_modules/.bin/echo-agent`)

const own = () => ({
  PATH: join(root, 'bin'),
  PROOFBOARD_DATA_DIR: join(root, 'data'),
  PROOFBOARD_AGENTS_DIR: join(root, 'shared'),
})

const agent = (install: Record<string, unknown> = {}, version: Record<string, unknown> = {}) =>
  echoAgent(root, {
    binary: 'echo-agent',
    install: { npm: 'echo-agent', tested: '1.2.3', hint: 'by hand', ...install },
    version: { args: ['--version'], pattern: 'v(\\d+)', ...version },
  })

describe('the program of an agent', () => {
  it('is the tested version that we installed, then the newest, then what PATH leads to', () => {
    expect(findAgentProgram(agent(), own())).toBeNull()
    const inPath = program('bin/echo-agent')
    expect(findAgentProgram(agent(), own())).toEqual({
      binary: inPath,
      node: null,
      by: 'path',
      version: null,
    })
    installed('shared', '1.9.0')
    const newest = installed('shared', '1.10.0')
    expect(findAgentProgram(agent(), own())).toMatchObject({ binary: newest, by: 'proofboard' })
    const tested = installed('data/agents', '1.2.3')
    expect(findAgentProgram(agent(), own())).toMatchObject({ binary: tested, version: '1.2.3' })
    expect(findAgentProgram(agent(), own(), '1.10.0')?.binary).toBe(newest)
    expect(findAgentProgram(agent(), own(), FROM_PATH)?.binary).toBe(inPath)
  })

  it('is the first in PATH that works, and the one of the version that is wanted', async () => {
    program('broken/echo-agent')
    const says = (folder: string, version: number) => {
      const path = program(`${folder}/echo-agent`)
      writeFileSync(path, `#!/bin/sh\necho v${version}\n`)
      return path
    }
    const [four, five] = [says('four', 4), says('five', 5)]
    const PATH = ['broken', 'four', 'five'].map((name) => join(root, name)).join(':')
    const found = async (wanted: string | null) =>
      (await findWorkingAgent(agent(), { ...own(), PATH }, wanted))?.binary
    expect(await found(null)).toBe(four)
    expect(await found(FROM_PATH)).toBe(four)
    expect(await found('5')).toBe(five)
  })

  it('is started with the Node that it needs, and is not there without it', () => {
    const needs = agent({ node: '22.1.0' })
    const binary = installed('data/agents', '1.2.3')
    expect(findAgentProgram(needs, own())).toBeNull()
    const node = program('data/agents/node@22.1.0/node_modules/node/bin/node')
    expect(findAgentProgram(needs, own())).toMatchObject({ binary, node })
  })

  it('is known by the version that it prints, where that is not the version of its package', () => {
    const prints = agent({}, { prints: '9.0.0' })
    const binary = installed('data/agents', '1.2.3')
    expect(findAgentProgram(prints, own(), '9.0.0')).toMatchObject({ binary, version: '9.0.0' })
  })
})

describe('a version', () => {
  it('is compared number by number', () => {
    expect(comparePackageVersions('1.10.0', '1.9.3')).toBeGreaterThan(0)
    expect(comparePackageVersions('2.0', '2.0.0')).toBe(0)
    expect(comparePackageVersions('0.9.9', '1.0.0-rc.1')).toBeLessThan(0)
  })

  it('that its definition does not fit is refused with what to do', () => {
    const ranged = agent({}, { from: '1.2.0', below: '2.0.0' })
    expect(versionRefusal(ranged, '1.2.0')).toBeNull()
    expect(versionRefusal(ranged, '1.1.9')).toBe(
      'Echo 1.1.9 is too old: its options are known from 1.2.0 on; proofboard agents install echo installs 1.2.3',
    )
    expect(versionRefusal(ranged, '2.0.0')).toContain('is too new')
  })
})
