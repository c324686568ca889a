import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layout.mjs'
import { BUNDLED, INSTALLED, isPacked, listEntries, OPTIONAL } from './contents.mjs'

const sources = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')

describe('what the package contains', () => {
  it('is data as it lies in the clone, never a test or a source of the runner', () => {
    const packed = sources.filter(isPacked)
    expect(packed).toEqual(
      expect.arrayContaining([
        'runner/cli/proofboard.mjs',
        'lib/setup/layout.mjs',
        'runner/providers/providers.yaml',
        'runner/subjects/agents/claude.yaml',
        'runner/sandbox/isolation/docker/Dockerfile',
        'exercises/typescript/lru-cache/lru-cache.test.ts',
      ]),
    )
    expect(packed.filter((path) => /^runner\/.*(\.ts|fixtures\/.*)$/.test(path))).toEqual([])
    expect(packed.filter((path) => /^exercises\/browser\/.*\.test\.ts$/.test(path))).toEqual([])
  })

  it('has every file that its launcher imports', () => {
    const imported = (path: string): string[] =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^import .*'(\.\.?\/.*\.mjs)'$/gm)].map(
        ([, name = '']) => join(path, '..', name),
      )
    const all = new Set(['runner/cli/proofboard.mjs'])
    for (const path of all) for (const one of imported(path)) all.add(one)
    expect(all.size).toBeGreaterThan(5)
    expect([...all].filter((path) => !isPacked(path))).toEqual([])
  })

  it('has every file of other rooms that the runner reads', () => {
    const read = sources
      .filter((path) => /^runner\/.*(?<!test)\.ts$/.test(path))
      .flatMap((path) => [
        ...readFileSync(join(ROOT, path), 'utf8').matchAll(/PROJECT_ROOT, '(lib\/[\w./-]+)'/g),
      ])
      .map(([, named = '']) => named)
    expect(read).not.toEqual([])
    const named = sources.filter((path) => read.some((place) => `${path}/`.startsWith(`${place}/`)))
    expect(named.filter((path) => !isPacked(path))).toEqual([])
  })

  it('bundles every program that is started by its path', () => {
    const entries = listEntries(sources, (path) => readFileSync(join(ROOT, path), 'utf8'))
    expect(entries).toEqual(
      expect.arrayContaining([
        'exercises/browser/apps/main.ts',
        'exercises/browser/helpdesk-triage/driver.ts',
        'runner/cli/main.ts',
        'runner/libraries/host/main.ts',
        'runner/workflow/cheat-driver.ts',
        'runner/workflow/cheats/program.ts',
      ]),
    )
  })

  it('is pinned as in the clone', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    const pins = { ...devDependencies, ...dependencies }
    for (const name of [...INSTALLED, ...BUNDLED, ...OPTIONAL])
      expect(pins[name], name).toMatch(/^(npm:typescript@)?\d+\.\d+\.\d+$/)
  })
})
