import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import CDP from 'chrome-remote-interface'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrowserLease, BrowserPool } from './browser-pool.ts'
import { startBrowserPool } from './start-browser-pool.ts'

const SLOW_MS = 1500

let folder: string
let server: Server
let pool: BrowserPool

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-left-'))
  server = createServer((request, result) => {
    if (request.url !== '/bill.csv')
      return void result.writeHead(200, { 'content-type': 'text/html' }).end('<p>Shop</p>')
    const headers = { 'content-disposition': 'attachment; filename=bill.csv' }
    setTimeout(() => result.writeHead(200, headers).end('a,b\n'), SLOW_MS)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  pool = await startBrowserPool({ env: process.env, temporary: folder, runMark: 'run_left0-1' })
})
afterAll(async () => {
  await pool.close()
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const tenant = (name: string) =>
  `http://${name}.localhost:${(server.address() as AddressInfo).port}`

async function lend() {
  const lease = await pool.lease({ reuse: 'reused', webdriver: false })
  await lease.prepare(await mkdtemp(join(folder, 'downloads-')))
  return lease
}

async function openPage(lease: BrowserLease, url: string) {
  const client = await CDP({ port: Number(new URL(lease.endpoint).port), local: true })
  await client.Page.enable()
  await Promise.all([client.Page.loadEventFired(), client.Page.navigate({ url })])
  return client
}

describe('what a library leaves behind at its end', { tags: 'chromium' }, () => {
  it('knows that it went on to a page outside of the app', async () => {
    const lease = await lend()
    const client = await openPage(lease, tenant('left'))
    await client.Page.navigate({ url: 'about:blank' })
    const page = await lease.read(tenant('left'))
    expect([await page.url(), await page.hasDialog()]).toEqual(['', false])
    await page.close()
    expect(await lease.release()).toBe('verified')
  })

  it('gives a window to the next lease at its size, whatever its state was', async () => {
    const lease = await lend()
    const client = await openPage(lease, tenant('window'))
    const { windowId } = await client.Browser.getWindowForTarget({})
    await client.Browser.setWindowBounds({ windowId, bounds: { windowState: 'fullscreen' } })
    expect(await lease.release()).toBe('verified')
    const next = await lend()
    const page = await openPage(next, tenant('window'))
    const { result } = await page.Runtime.evaluate({ expression: 'innerWidth + " " + innerHeight' })
    expect(result.value).toBe('1280 800')
    expect(await next.release()).toBe('verified')
  })

  it('waits for a download whose answer is late', async () => {
    const lease = await lend()
    const client = await openPage(lease, tenant('late'))
    await client.Runtime.evaluate({
      expression: `const link = document.createElement('a'); link.href = '/bill.csv'; link.download = ''; link.click()`,
    })
    const page = await lease.read(tenant('late'))
    expect((await page.downloads())?.map(({ name }) => name)).toEqual(['bill.csv'])
    await page.close()
    expect(await lease.release()).toBe('verified')
  })
})
