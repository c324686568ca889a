import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import { browserError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { BrowserLease, BrowserPool } from './browser-pool.ts'
import { type Chromedriver, findChromedriver, launchChromedriver } from './chromedriver.ts'
import { filmPage } from './film-page.ts'
import { findChromium } from './find-chromium.ts'
import { closeTab, crashRenderer, openDialog } from './inject-faults.ts'
import {
  type BrowserPlace,
  launchChromium,
  mustGoUnsandboxed,
  type OwnedBrowser,
} from './launch-chromium.ts'
import { readPage } from './read-page.ts'
import { prepareBrowser, resetBrowser } from './reset-browser.ts'
import { watchProcesses } from './watch-processes.ts'

const PING_MS = 1000
const NO_SANDBOX = { socketPath: null, chromedriver: null }

export type BrowserPoolRequest = {
  env: Env
  /** The run's temporary folder, which contains the profiles. */
  temporary: string
  /** The run's mark, by which its guard ends what is left. */
  runMark: string
  /** See `BrowserPlace`. */
  stagingFolder?: string | null
}

/**
 * Opens the pool of a run's browsers; the first lease launches the first browser. Throws a RunnerError if there is no
 * Chromium that reports its version. A lease throws one if a browser or a chromedriver does not start.
 */
export async function startBrowserPool(request: BrowserPoolRequest): Promise<BrowserPool> {
  const { env, temporary, runMark, stagingFolder = null } = request
  const chromium = await findChromium(env)
  const noSandbox = mustGoUnsandboxed(env)
  const place: BrowserPlace = { chromium, temporary, runMark, noSandbox, stagingFolder }
  const idle: OwnedBrowser[] = []
  const all = new Set<OwnedBrowser>()
  const drivers = new Set<Chromedriver>()
  let isClosed = false
  let leases = 0

  const launch = async () => {
    const browser = await launchChromium(place)
    all.add(browser)
    if (isClosed) await discard(browser)
    return browser
  }
  const discard = async (browser: OwnedBrowser) => {
    all.delete(browser)
    await browser.end()
  }
  const takeIdle = async () => {
    for (let browser = idle.pop(); browser; browser = idle.pop()) {
      if (await isWell(browser)) return browser
      await discard(browser)
    }
    return null
  }
  const startDriver = async () => {
    const driver = await launchChromedriver(await findChromedriver(env, chromium), place)
    drivers.add(driver)
    return {
      port: driver.port,
      stop: async () => {
        drivers.delete(driver)
        await driver.service.stop()
      },
    }
  }
  const reachInside = async (webdriver: boolean) => {
    leases += 1
    return {
      socketPath: join(temporary, `debug-${leases}.sock`),
      chromedriver: webdriver ? (await findChromedriver(env, chromium)).path : null,
    }
  }
  return {
    lease: async ({ reuse, webdriver, sandboxed = false }) => {
      if (isClosed) throw browserError('the browsers of this run are closed already')
      const driver = webdriver && !sandboxed ? await startDriver() : null
      const reach = sandboxed ? await reachInside(webdriver) : NO_SANDBOX
      try {
        const browser = (reuse === 'reused' ? await takeIdle() : null) ?? (await launch())
        return await openLease(browser, {
          version: chromium.version,
          reuse,
          driver,
          ...reach,
          keep: () => idle.push(browser),
          discard: () => discard(browser),
        }).catch(async (error: Error) => {
          await discard(browser)
          throw error
        })
      } catch (error) {
        await driver?.stop()
        throw error
      }
    },
    close: async () => {
      isClosed = true
      idle.length = 0
      await Promise.all([
        ...[...all].map(discard),
        ...[...drivers].map(({ service }) => service.stop()),
      ])
    },
  }
}

async function isWell({ connection }: OwnedBrowser): Promise<boolean> {
  return await connection.send('Browser.getVersion', {}, undefined, PING_MS).then(
    () => true,
    () => false,
  )
}

export type LeaseTerms = {
  version: string
  reuse: BrowserLease['reuse']
  driver: { port: number; stop: () => Promise<void> } | null
  /** Path of the debugging port's socket, for a library without network; null = on loopback. */
  socketPath: string | null
  chromedriver: string | null
  /** Returns the browser for the next lease. */
  keep: () => void
  /** Ends it for good. */
  discard: () => Promise<void>
}

/** Leases a browser to one episode. */
export async function openLease(browser: OwnedBrowser, terms: LeaseTerms): Promise<BrowserLease> {
  const { connection, port, service } = browser
  const { socketPath } = terms
  const proxy = await startDebugProxy(port, socketPath)
  const origins = new Set<string>()
  let downloads: string | null = null
  let ending: ReturnType<BrowserLease['release']> | null = null
  /** Records every origin used, because all of them have to be empty at the end. */
  const on = <Answer>(act: (origin: string) => Promise<Answer>) => {
    return (origin: string) => {
      origins.add(origin)
      return act(origin)
    }
  }
  const release = async () => {
    // First, stop accepting connections.
    await Promise.all([proxy.close(), terms.driver?.stop()])
    if (terms.reuse === 'reused') {
      const isEmpty = await resetBrowser(connection, origins).then(
        () => true,
        () => false,
      )
      if (isEmpty) {
        terms.keep()
        return 'verified' as const
      }
    }
    await terms.discard()
    return 'thrown-away' as const
  }
  const reachOf = (path: string) => ({
    browser: { port: proxy.port, socketPath: path },
    chromedriver: terms.chromedriver,
  })
  return {
    version: terms.version,
    rootPid: service.pid,
    endpoint: `http://127.0.0.1:${proxy.port}`,
    webdriverPort: terms.driver?.port ?? null,
    reach: socketPath === null ? null : reachOf(socketPath),
    reuse: terms.reuse,
    prepare: async (folder) => {
      downloads = folder
      await prepareBrowser(connection, folder)
    },
    read: on((origin) => readPage({ connection, port, downloads }, origin)),
    film: on((origin) => filmPage({ connection, port }, origin)),
    crashRenderer: on((origin) => crashRenderer(browser, origin)),
    closeTab: on((origin) => closeTab(browser, origin)),
    openDialog: on((origin) => openDialog(browser, origin)),
    dropConnections: async () => {
      const dropped = proxy.drop()
      return dropped === 0
        ? null
        : `${countOf(dropped, 'debugging connection was', 'debugging connections were')} broken`
    },
    hasEnded: () => !connection.isOpen,
    watch: (marker) => watchProcesses(service.marker, marker),
    release: () => {
      ending ??= release()
      return ending
    },
  }
}

/** Chromium's default debugging port. */
const SOCKET_PORT = 9222

export type DebugProxy = {
  /** Behind a socket: the port inside the library's sandbox. */
  port: number
  /** Drops every open connection and returns their number; new ones are accepted. */
  drop: () => number
  close: () => Promise<void>
}

/**
 * A TCP proxy before a browser's debugging port, so that a library's connections can be broken without its or the
 * browser's knowledge. Chromium derives its addresses from the Host header, so nothing has to be rewritten.
 */
export async function startDebugProxy(
  browserPort: number,
  socketPath: string | null = null,
): Promise<DebugProxy> {
  const pairs = new Map<Socket, Socket>()
  const server = createServer({ noDelay: true }, (library) => {
    const browser = connect({ port: browserPort, host: '127.0.0.1', noDelay: true })
    pairs.set(library, browser)
    const end = () => {
      pairs.delete(library)
      library.destroy()
      browser.destroy()
    }
    for (const socket of [library, browser]) socket.on('error', end).on('close', end)
    library.pipe(browser).pipe(library)
  })
  if (socketPath === null) server.listen(0, '127.0.0.1')
  else server.listen({ path: socketPath, writableAll: true })
  await once(server, 'listening')
  const drop = () => {
    const open = [...pairs]
    for (const sockets of open) for (const socket of sockets) socket.resetAndDestroy()
    return open.length
  }
  const close = async () => {
    drop()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const port = socketPath === null ? (server.address() as AddressInfo).port : SOCKET_PORT
  return { port, drop, close }
}
