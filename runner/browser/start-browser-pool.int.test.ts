import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import CDP from 'chrome-remote-interface'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import type { BrowserLease, BrowserPool } from './browser-pool.ts'
import { connectWhole, HOSTILE_PAGE, nameBrowser, untilListed } from './hostile-page.fixture.ts'
import { startBrowserPool } from './start-browser-pool.ts'

let folder: string
let server: Server
let port: number
let pool: BrowserPool
const startPool = () =>
  startBrowserPool({ env: process.env, temporary: folder, runMark: 'run_house0-1' })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-pool-'))
  server = createServer((request, result) => {
    if (request.url === '/bill.csv')
      result.writeHead(200, { 'content-disposition': 'attachment; filename=bill.csv' }).end('a,b\n')
    else
      result
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=s1; HttpOnly' })
        .end(HOSTILE_PAGE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  pool = await startPool()
})
afterAll(async () => {
  await pool.close()
  server.close()
  server.closeAllConnections()
  expect(readdirSync(folder).filter((name) => name.startsWith('browser-'))).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

const tenant = (name: string) => `http://${name}.localhost:${port}`
const fresh = () => mkdtemp(join(folder, 'downloads-'))

/** Acts like a library: connects through the lease's endpoint and navigates. */
async function openPage(lease: BrowserLease, url: string) {
  const { port: at } = new URL(lease.endpoint)
  const client = await CDP({ port: Number(at), local: true })
  await client.Page.enable()
  await Promise.all([client.Page.loadEventFired(), client.Page.navigate({ url })])
  return client
}

const lent: BrowserLease[] = []
afterEach(async () => {
  await Promise.all(lent.splice(0).map((lease) => lease.release()))
})

async function lend(options: { reuse?: 'cold' | 'reused' } = {}) {
  const lease = await pool.lease({ reuse: 'reused', webdriver: false, ...options })
  const downloads = await fresh()
  lent.push(lease)
  await lease.prepare(downloads)
  return { lease, downloads }
}

describe('startBrowserPool', { tags: 'chromium' }, () => {
  it('reads the final page in a world of its own, whatever the page did to its own', async () => {
    const { lease } = await lend()
    expect(lease.version).toMatch(/^[A-Z][A-Za-z ]+ \d+\.\d+\.\d+\.\d+$/)
    const origin = tenant('read')
    const client = await openPage(lease, `${origin}/orders?page=2`)
    await client.Runtime.evaluate({
      expression: `const link = document.createElement('a'); link.href = '/bill.csv'; link.download = ''; link.click()`,
    })
    const page = await lease.read(origin)
    expect(await page.downloads()).toEqual([
      { name: 'bill.csv', digest: `sha256:${createHash('sha256').update('a,b\n').digest('hex')}` },
    ])
    expect(await page.url()).toBe(`${origin}/orders?page=2`)
    expect(await page.texts('li')).toEqual(['Mug 2', 'Tea'])
    expect(await page.texts('#name')).toEqual(['Ada'])
    expect(await page.texts('form')).toEqual([''])
    expect(await page.texts('nav')).toEqual([])
    expect(await page.texts('li[')).toBeNull()
    expect(await page.attributes('li', 'style')).toEqual([null, null, 'display:none'])
    expect(await page.storage('local', 'cart')).toEqual({ value: 'mug' })
    expect(await page.storage('session', 'step')).toEqual({ value: '2' })
    expect(await page.storage('cookie', 'session')).toEqual({ value: 's1' })
    expect(await page.storage('cookie', 'other')).toEqual({ value: null })
    expect(await page.hasDialog()).toBe(false)
    const picture = await page.screenshot()
    expect(picture?.subarray(1, 4).toString()).toBe('PNG')
    expect([picture?.readUInt32BE(16), picture?.readUInt32BE(20)]).toEqual([1280, 800])
    await page.close()
    expect(await lease.release()).toBe('verified')
  })

  it('gives the next episode an empty browser, the same one', async () => {
    const first = await lend()
    const origin = tenant('again')
    const client = await openPage(first.lease, origin)
    const whole = await connectWhole(first.lease)
    await whole.Target.createTarget({ url: `${origin}/second` })
    const { browserContextId } = await whole.send('Target.createBrowserContext')
    await whole.Target.createTarget({ url: origin, browserContextId })
    const name = await nameBrowser(first.lease)
    await client.Runtime.evaluate({ expression: 'setTimeout(() => alert(1), 0)' })
    const page = await first.lease.read(origin)
    await page.close()
    expect(await first.lease.release()).toBe('verified')
    const second = await lend()
    const { port: at } = new URL(second.lease.endpoint)
    const list = await CDP.List({ port: Number(at) })
    expect(list.filter(({ type }) => type === 'page').map(({ url }) => url)).toEqual([
      'about:blank',
    ])
    expect(await nameBrowser(second.lease)).toBe(name)
    const again = await openPage(second.lease, 'about:blank')
    const { cookies } = await again.Network.getCookies({ urls: [origin] })
    expect(cookies).toEqual([])
    expect(await second.lease.release()).toBe('verified')
  })

  it('reads the page that was used last', async () => {
    const { lease } = await lend()
    const origin = tenant('tabs')
    const client = await openPage(lease, `${origin}/first`)
    const { targetId } = await client.Target.createTarget({ url: `${origin}/second` })
    await untilListed(lease, [`${origin}/second`, `${origin}/first`])
    const second = await lease.read(origin)
    expect(await second.url()).toBe(`${origin}/second`)
    await second.close()
    await client.Target.closeTarget({ targetId })
    await untilListed(lease, [`${origin}/first`])
    const first = await lease.read(origin)
    expect(await first.url()).toBe(`${origin}/first`)
    await first.close()
    expect(await lease.release()).toBe('verified')
  })

  it('crashes a renderer, says so, and cleans up after it', async () => {
    const { lease } = await lend()
    const origin = tenant('crash')
    await openPage(lease, origin)
    expect(await lease.crashRenderer(origin)).toContain('Inspector.targetCrashed')
    const page = await lease.read(origin)
    expect(await page.texts('li')).toBeNull()
    expect(await page.storage('local', 'cart')).toBeNull()
    expect(await page.screenshot()).toBeNull()
    await page.close()
    expect(await lease.release()).toBe('verified')
  })

  it('closes the only tab and stays alive', async () => {
    const { lease } = await lend()
    const origin = tenant('closed')
    await openPage(lease, origin)
    expect(await lease.closeTab(origin)).toContain('is gone')
    expect(await lease.closeTab(origin)).toBeNull()
    const page = await lease.read(origin)
    expect([await page.url(), await page.texts('li'), await page.hasDialog()]).toEqual([
      '',
      [],
      false,
    ])
    await page.close()
    expect(await lease.release()).toBe('verified')
  })

  it('opens a dialog that stays open for the library, and sees that one is open', async () => {
    const { lease } = await lend()
    const origin = tenant('dialog')
    const client = await openPage(lease, origin)
    const opened = client.Page.javascriptDialogOpening()
    expect(await lease.openDialog(origin)).toContain('is open')
    expect((await opened).type).toBe('alert')
    const seen: (boolean | null)[] = []
    // On a busy machine a second check may be needed to distinguish waiting from working.
    for (let look = 0; look < 5 && seen.at(-1) !== true; look++) {
      const page = await lease.read(origin)
      seen.push(await page.hasDialog())
      expect(await page.texts('li')).toBeNull()
      await page.close()
    }
    expect(seen.at(-1)).toBe(true)
    expect(seen).not.toContain(false)
    await client.Page.handleJavaScriptDialog({ accept: true })
    const after = await lease.read(origin)
    expect(await after.hasDialog()).toBe(false)
    await after.close()
    expect(await lease.release()).toBe('verified')
  })

  it('proves a dialog that a library answers at once', async () => {
    const { lease } = await lend()
    const origin = tenant('quick')
    const client = await openPage(lease, origin)
    client.Page.javascriptDialogOpening(() => {
      void client.Page.handleJavaScriptDialog({ accept: true })
    })
    expect(await lease.openDialog(origin)).toContain('answered at once')
    expect(await lease.release()).toBe('verified')
  })

  it('does not take a busy page for a dialog', { tags: 'night' }, async () => {
    const { lease } = await lend()
    const origin = tenant('busy')
    const client = await openPage(lease, origin)
    const isBusy = new Promise((resolve) => server.once('request', resolve))
    const tell = `const tell = new XMLHttpRequest(); tell.open('GET', '/busy', false); tell.send()`
    client.Runtime.evaluate({ expression: `${tell}; for (;;);` }).catch(() => {})
    await isBusy
    const page = await lease.read(origin)
    expect(await page.hasDialog()).toBeNull()
    expect(await page.url()).toBe(`${origin}/`)
    await page.close()
    await lease.release()
    const next = await lend()
    expect(await next.lease.release()).toBe('verified')
  })

  it('breaks the connections of the library and lets it come again', async () => {
    const { lease } = await lend()
    expect(await lease.dropConnections()).toBeNull()
    const client = await openPage(lease, tenant('drop'))
    const gone = new Promise((resolve) => client.on('disconnect', () => resolve('gone')))
    expect(await lease.dropConnections()).toMatch(/^\d+ debugging connections? /)
    expect(await gone).toBe('gone')
    const again = await openPage(lease, tenant('drop'))
    await again.close()
    expect(await lease.release()).toBe('verified')
    await expect(openPage(lease, tenant('drop'))).rejects.toThrow()
  })

  it('reaches nothing but this machine', async () => {
    const { lease } = await lend()
    const { port: at } = new URL(lease.endpoint)
    const client = await CDP({ port: Number(at), local: true })
    const tried = await Promise.all(
      ['http://example.com/', 'http://192.0.2.1/'].map((url) => client.Page.navigate({ url })),
    ).catch(() => [])
    for (const { errorText } of tried) expect(errorText).toMatch(/^net::ERR_/)
    expect(await lease.release()).toBe('verified')
  })

  it('sees the memory of both trees and its unburied children', async () => {
    const { lease } = await lend()
    const { processes, load } = await lease.watch('no-such-library').stop()
    const { peakPssBytes, peakCount } = processes
    expect(processes).toMatchObject({ libraryPeakPssBytes: null, zombies: 0 })
    expect(peakPssBytes).toBeGreaterThan(50 << 20)
    expect(peakCount).toBeGreaterThanOrEqual(3)
    expect(load.waitedMs).toBeLessThanOrEqual(load.wantedMs ?? -1)
    expect(load.othersShare).not.toBeNull()
    expect(load.load1).toBeGreaterThanOrEqual(0)
    expect(await lease.release()).toBe('verified')
  })

  it('throws a hung browser away, bounded, and goes on with another one', {
    tags: 'night',
  }, async () => {
    const { lease } = await lend()
    const browser = listProcesses().find(
      ({ parent, cwd }) => parent === process.pid && cwd.startsWith(`${folder}/browser-`),
    )
    process.kill(browser!.pid, 'SIGSTOP')
    expect(await lease.crashRenderer(tenant('hung'))).toBeNull()
    const page = await lease.read(tenant('hung'))
    expect(await page.texts('li')).toBeNull()
    expect(await lease.release()).toBe('thrown-away')
    expect(listProcesses().some(({ identity }) => identity === browser!.identity)).toBe(false)
    // On a busy machine the next one may be late for its check too, and is discarded like this one.
    await expect
      .poll(async () => (await lend()).lease.release(), { timeout: 30_000 })
      .toBe('verified')
  })

  it('lends two browsers at once; a cold one ends with its lease', { tags: 'night' }, async () => {
    const [one, other] = await Promise.all([lend(), lend({ reuse: 'cold' })])
    expect(one.lease.endpoint).not.toBe(other.lease.endpoint)
    const origin = tenant('twice')
    await openPage(one.lease, origin)
    const page = await other.lease.read(origin)
    expect(await page.url()).toBeNull()
    expect(await other.lease.release()).toBe('thrown-away')
    expect(await one.lease.release()).toBe('verified')
    expect(await one.lease.release()).toBe('verified')
  })
})
