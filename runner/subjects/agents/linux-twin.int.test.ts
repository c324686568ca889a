import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { echoAgent } from '#lib/testing/factories/echo-agent.ts'
import {
  type PackageRegistry,
  servePackages,
  TOY_AGENT,
} from '#lib/testing/factories/package-registry.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import { insideProgram } from '../../sandbox/isolation/isolation.ts'
import { local } from '../../sandbox/isolation/local.ts'
import { findProgram } from './agent-program.ts'
import { installAgent, twinProcessor } from './install-agent.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const other = process.arch === 'arm64' ? 'x64' : 'arm64'
let registry: PackageRegistry
beforeAll(async () => {
  registry = await servePackages(TOY_AGENT)
})
afterAll(() => {
  registry.close()
  rmSync(root, { recursive: true, force: true })
})

const definition = echoAgent(root, {
  name: 'toy',
  binary: 'toy',
  install: { npm: 'toy-agent', tested: '1.0.0', hint: 'it is part of the test' },
  version: { args: ['--version'], pattern: 'toy-agent (\\d+\\.\\d+\\.\\d+)' },
})
const levelOf = (level: Isolation['level']): Isolation => ({
  ...local,
  level,
  programPath: insideProgram,
})

it.each([
  ['darwin', 'arm64', 'docker', 'arm64'],
  ['darwin', 'x64', 'docker', 'x64'],
  ['darwin', 'arm64', 'local', null],
  ['linux', 'x64', 'docker', null],
] as const)('on %s %s at level %s the second copy is for %s', (platform, arch, level, expected) => {
  expect(twinProcessor(level, { platform, arch })).toBe(expected)
})

it('installs an agent for this machine, and a second copy for containers of another processor', async () => {
  const linux = twinProcessor('docker', { platform: 'darwin', arch: other })
  const place = join(root, 'agents')
  const own = { PATH: process.env.PATH, HOME: root, npm_config_registry: registry.url }
  const install = () => installAgent(definition, { place, env: own, linux })
  const installed = await install()
  if (!installed.ok) throw new Error(installed.reason)
  const { found } = installed
  const partsAt = (level: Isolation['level']) => {
    const { folders, start } = findProgram('toy', found, levelOf(level))
    expect(start).toEqual(['/opt/toy/node_modules/toy-agent/bin/toy.js'])
    return readdirSync(String(folders[0]?.host)).filter((name) => name.startsWith('toy-agent-'))
  }
  expect(partsAt('bubblewrap')).toEqual([`toy-agent-${process.platform}-${process.arch}`])
  expect(partsAt('docker')).toEqual([`toy-agent-linux-${other}`])
  // A second call finds both, even without a registry.
  registry.close()
  expect(await install()).toEqual(installed)
  // A Mac's own program is never the one in the image.
  writeFileSync(found.binary, 'not a program of Linux')
  const { folders } = findProgram('toy', found, levelOf('docker'))
  const program = join(String(folders[0]?.host), 'toy-agent', 'bin', 'toy.js')
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).toBe(
    `toy-agent 1.0.0 with toy-agent-linux-${other}\n`,
  )
})
