import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeCache } from './layout.mjs'

it('makes the cache accessible to every user', () => {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-cache-'))
  const cache = join(root, '.cache', 'proofboard')
  const modes = () => [cache, dirname(cache)].map((path) => statSync(path).mode & 0o777)
  const before = process.umask(0o077)
  try {
    makeCache(cache)
    expect(modes()).toEqual([0o755, 0o755])
    chmodSync(dirname(cache), 0o700)
    makeCache(cache)
    expect(modes()).toEqual([0o755, 0o755])
    expect(statSync(root).mode & 0o777).toBe(0o700)
  } finally {
    process.umask(before)
    rmSync(root, { recursive: true })
  }
})
