import { join } from 'node:path'
import { BrowserError } from './browser-error.ts'
import type { BrowserHouse } from './browser-house.ts'
import { mustGoUnsandboxed } from './chromium-arguments.ts'
import { findChromedriver } from './find-chromedriver.ts'
import { findChromium } from './find-chromium.ts'
import { type Chromedriver, launchChromedriver } from './launch-chromedriver.ts'
import { type BrowserPlace, launchChromium, type OwnedBrowser } from './launch-chromium.ts'
import { openLease } from './open-lease.ts'

const PING_MS = 1000
const NO_SANDBOX = { socketPath: null, chromedriver: null }

export type HouseRequest = {
  own: Readonly<Record<string, string | undefined>>
  /** The run's temporary folder: profiles lie below it. */
  temporary: string
  /** The run's mark, by which its guard ends what is left. */
  runMark: string
  /** See `BrowserPlace`. */
  desks?: string | null
}

/**
 * Opens the house of a run's browsers; the first is launched by the first lease. Throws a BrowserError when there is no
 * Chromium that says its version. A lease throws one when a browser or a chromedriver does not come up.
 */
export async function startBrowserHouse(request: HouseRequest): Promise<BrowserHouse> {
  const { own, temporary, runMark, desks = null } = request
  const chromium = await findChromium(own)
  const noSandbox = mustGoUnsandboxed(own)
  const place: BrowserPlace = { chromium, temporary, runMark, noSandbox, desks }
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
    const driver = await launchChromedriver(await findChromedriver(own, chromium), place)
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
      chromedriver: webdriver ? (await findChromedriver(own, chromium)).path : null,
    }
  }
  return {
    lease: async ({ reuse, webdriver, sandboxed = false }) => {
      if (isClosed) throw new BrowserError('the browsers of this run are closed already')
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
