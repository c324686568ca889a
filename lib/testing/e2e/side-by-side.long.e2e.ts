import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { boardFilled, readBoardTable } from '#lib/testing/e2e/browser.ts'
import { type Copy, startCopy } from '#lib/testing/e2e/start-copy.ts'

const site = inject('siteUrl')

describe('two copies side by side from one clone', () => {
  let other: Copy
  beforeAll(async () => {
    await boardFilled(site)
    other = await startCopy({ PROOFBOARD_FIRST_RUNS: '0' })
  })
  afterAll(() => other.stop())

  it('listen on ports of their own', async () => {
    expect(other.url).not.toBe(site)
    for (const url of [site, other.url])
      expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
  })

  it('keep data of their own: the other board stays empty', async () => {
    expect(existsSync(join(other.dataDir, 'proofboard.db'))).toBe(true)
    expect((await readBoardTable(other.url)).size).toBe(0)
    expect((await readBoardTable(site)).size).toBeGreaterThanOrEqual(2)
  })

  it('stop within seconds and leave no data behind', async () => {
    const startedAt = Date.now()
    expect(await other.stop()).toBe(130)
    expect(Date.now() - startedAt).toBeLessThan(12_000)
    expect(existsSync(other.dataDir)).toBe(false)
    await expect(fetch(`${other.url}/api/v1/health`)).rejects.toThrow()
    expect((await fetch(`${site}/api/v1/health`)).status).toBe(200)
  })
})
