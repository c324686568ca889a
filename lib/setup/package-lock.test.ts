import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addMissingPackages, listMissingPackages } from './package-lock.mjs'

const lockText = readFileSync('package-lock.json', 'utf8')
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

const SMALL = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/darwin-arm64': '1.0.0',
        '@tool/linux-x64': '1.0.0',
        '@tool/linux-x64-musl': '1.0.0',
        soft: '^2',
      },
    },
    'node_modules/@tool/linux-x64': { version: '1.0.0', optional: true },
  },
}

describe('the committed lock', () => {
  it('holds every platform’s packages, so that npm ci passes everywhere', () => {
    expect(listMissingPackages(JSON.parse(lockText))).toEqual([])
  })

  it('installs programs for one C library, not for both', () => {
    const { packages } = JSON.parse(lockText) as { packages: Record<string, { libc?: string[] }> }
    const forMusl = Object.entries(packages).filter(([path]) =>
      /linux-(x64|arm64).*musl/.test(path),
    )
    expect(forMusl.length).toBeGreaterThan(0)
    expect(forMusl.filter(([, { libc }]) => libc?.[0] !== 'musl')).toEqual([])
  })

  it('names no registry host', () => {
    expect(lockText).not.toContain('"resolved"')
    expect(lockText.match(/https?:\/\/[^"]*registry[^"]*/g)).toBeNull()
  })

  it.each(['dependencies', 'devDependencies'] as const)('%s are pinned exactly', (kind) => {
    const loose = Object.entries(manifest[kind]).filter(
      ([, range]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
    )
    expect(loose).toEqual([])
  })
})

describe('completing a lock', () => {
  it('adds what an entry asks for by exact version, with its platform', () => {
    const { lock, added } = addMissingPackages(SMALL)
    expect(added).toEqual(['@tool/darwin-arm64', '@tool/linux-x64-musl'])
    expect(lock.packages['node_modules/@tool/darwin-arm64']).toEqual({
      version: '1.0.0',
      cpu: ['arm64'],
      os: ['darwin'],
      dev: true,
      optional: true,
    })
    expect(lock.packages['node_modules/@tool/linux-x64-musl']).toMatchObject({ libc: ['musl'] })
  })

  it('changes a complete lock in nothing', () => {
    const { lock } = addMissingPackages(SMALL)
    expect(addMissingPackages(lock)).toEqual({ lock, added: [] })
  })

  it('finds a package beside its parent', () => {
    const nested = {
      packages: {
        'node_modules/a/node_modules/b': { optionalDependencies: { c: '1.0.0', d: '1.0.0' } },
        'node_modules/a/node_modules/c': { version: '1.0.0' },
      },
    }
    expect(listMissingPackages(nested).map(({ name }) => name)).toEqual(['d'])
  })
})
