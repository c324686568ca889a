import { describe, expect, it } from 'vitest'
import { explainInstallFailure, listDifferences } from './ensure-installed.mjs'
import { checkNode, formatElapsed } from './progress.mjs'

describe('checkNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0'])('takes %s', (version) => {
    expect(checkNode(version)).toBeNull()
  })

  it.each(['18.20.1', '20.18.3', '0.12.0'])('refuses %s in one line', (version) => {
    expect(checkNode(version)).toMatch(/^Proofboard needs node 20\.19 or newer; this is .*$/)
  })
})

describe('formatSeconds', () => {
  it.each([
    [40, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 00 s'],
    [215_000, '3 min 35 s'],
  ])('%d ms is %s', (ms, text) => expect(formatElapsed(ms)).toBe(text))
})

describe('listDifferences', () => {
  const lock = {
    packages: {
      '': { version: '0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  }

  it('forgives an optional package that is absent', () => {
    const laid = { packages: { 'node_modules/a': { version: '1.0.0' } } }
    expect(listDifferences(lock, laid, 'all')).toEqual([])
  })

  it('misses a package for development only where all packages are wanted', () => {
    const more = {
      packages: { ...lock.packages, 'node_modules/c': { version: '1.0.0', dev: true } },
    }
    const laid = { packages: { 'node_modules/a': { version: '1.0.0' } } }
    expect(listDifferences(more, laid, 'core')).toEqual([])
    expect(listDifferences(more, laid, 'all')).toEqual(['node_modules/c'])
  })

  it('names what is absent or of another version', () => {
    const laid = { packages: { 'node_modules/b': { version: '1.9.0' } } }
    expect(listDifferences(lock, laid, 'core')).toEqual(['node_modules/a', 'node_modules/b'])
  })
})

describe('explainInstallFailure', () => {
  it.each([
    ['npm error code ENOSPC', 'disk is full'],
    ['gyp ERR! find Python', 'python3, make'],
    [
      'npm error network request to x failed, reason: getaddrinfo ENOTFOUND',
      'registry cannot be reached',
    ],
    ['npm error code EUSAGE', 'does not match package.json'],
    ['something new', 'to see its full output'],
  ])('%s: says what to do', (output, advice) => {
    expect(explainInstallFailure(output)).toContain(advice)
  })
})
