import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startBrowserPool } from './start-browser-pool.ts'

it('starts a chromedriver that fits, and ends it with the lease', {
  tags: 'chromedriver',
}, async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'proofboard-driver-'))
  const pool = await startBrowserPool({ env: process.env, temporary, runMark: 'run_driver-1' })
  try {
    const lease = await pool.lease({ reuse: 'reused', webdriver: true })
    const status = `http://127.0.0.1:${lease.webdriverPort}/status`
    expect(await (await fetch(status)).json()).toMatchObject({ value: { ready: true } })
    expect(await lease.release()).toBe('verified')
    await expect(fetch(status)).rejects.toThrow()
  } finally {
    await pool.close()
    rmSync(temporary, { recursive: true, force: true })
  }
})
