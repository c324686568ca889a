import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { isPinnedLibrary } from '#lib/domain/record/index.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { mcpLibrary } from './mcp-library.ts'
import { parseMcpDefinition } from './read-library-file.ts'

const GOOD = `
schemaVersion: 1
name: my-mcp
title: My MCP
command: node
args: [/opt/my/index.js, '\${endpoint}']
version: { command: [node, /opt/my/index.js, --version], pattern: '(.+)' }
`

it('lets no file read runs, answers or what contains them, under any name', () => {
  const data = mkdtempSync(join(tmpdir(), 'proofboard-reads-'))
  mkdirSync(join(data, 'runs'))
  const link = join(data, 'runs-link')
  symlinkSync(join(data, 'runs'), link)
  vi.stubEnv('PROOFBOARD_DATA_DIR', data)
  const elsewhere = `${data}-link`
  symlinkSync(data, elsewhere)
  const find = (path: string) =>
    mcpLibrary(parseMcpDefinition(`${GOOD}reads: [${path}]`, 'my.yaml')).findMissing({})
  try {
    for (const path of [
      join(data, 'runs'),
      link,
      join(elsewhere, 'runs'),
      data,
      join(PROJECT_ROOT, 'exercises/typescript'),
      PROJECT_ROOT,
      '/',
    ])
      expect(find(path), path).toContain('more than a library may read')
  } finally {
    vi.unstubAllEnvs()
    for (const path of [data, elsewhere]) rmSync(path, { recursive: true, force: true })
  }
})

it('is pinned by the digest of its package’s files, if it names one', () => {
  const versionOf = (more: string) =>
    mcpLibrary(parseMcpDefinition(`${GOOD}${more}`, 'my.yaml')).adapterVersion as string
  const [pinned, own] = [versionOf('package: htm\n'), versionOf('')]
  expect([pinned, own].map((adapterVersion) => isPinnedLibrary({ adapterVersion }))).toEqual([
    true,
    false,
  ])
  expect(versionOf('package: htm\n')).toBe(pinned)
  expect(versionOf('package: preact\n').split('+')[1]).not.toBe(pinned.split('+')[1])
})
