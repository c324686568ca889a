import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDriverViolations } from './find-driver-violations.ts'

const WORKFLOWS = 'exercises/browser'
const LIBRARIES = 'runner/libraries'
/** Files that may contain a timer: a limit, a repeated check, a wait requested by a model; never a fixed wait. */
const LIMITS = [
  ...['host/within-time.ts', 'cdp/query-page.ts', 'mcp/find-ref.ts'],
  'computer/wait-as-asked.ts',
]
const WAYS = ['host/open-sockets.ts', 'host/find-web-socket.ts']

const drivers = readdirSync(WORKFLOWS, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[^/]+\/driver\.ts$|^apps\/[^/]+\/[^/]+-steps\.ts$/.test(path))
  .map((path) => join(WORKFLOWS, path))
const libraries = readdirSync(LIBRARIES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !LIMITS.includes(path))
  // Measuring libraries serves them its own pages.
  .filter((path) => !path.startsWith('measure/'))
  // The sandbox of a library and its connection to the browser belong to the harness, not to the library.
  .filter((path) => !path.startsWith('sandbox/') && !WAYS.includes(path))
  .map((path) => join(LIBRARIES, path))

const violationsOf = (path: string, isDriver: boolean) =>
  findDriverViolations(path, readFileSync(path, 'utf8'), isDriver).map(
    ({ line, what }) => `${path}:${line} ${what}`,
  )

describe('drivers and adapters', () => {
  it('know no fixed sleeps, no control endpoint, and drivers nothing but the surface', () => {
    expect(libraries.length).toBeGreaterThan(5)
    expect(drivers.flatMap((path) => violationsOf(path, true))).toEqual([])
    expect(libraries.flatMap((path) => violationsOf(path, false))).toEqual([])
  })

  it('name every file that may hold a timer', () => {
    for (const path of LIMITS) expect(violationsOf(join(LIBRARIES, path), false)).not.toEqual([])
  })

  it.each([
    ['await new Promise((go) => setTimeout(go, 500))', 'waits by setTimeout'],
    ["import { setTimeout as nap } from 'node:timers/promises'", 'takes timers'],
    ["const { setTimeout: nap } = await import('timers/promises')", 'takes timers'],
    ['await this.page.waitForTimeout(300)', 'waits by waitForTimeout'],
    ['await browser.pause(300)', 'waits by pause'],
    ['await driver.sleep(300)', 'waits by sleep'],
    ['await page.open(`' + '$' + '{origin}/.control/state`)', 'knows the control endpoint'],
    ["headers.set('x-proofboard-control', key)", 'knows the control endpoint'],
    ["import { request } from 'node:http'", 'takes the network'],
    ['await fetch(origin)', 'speaks to the network by fetch'],
  ])('turns red at %s', (text, what) => {
    for (const isDriver of [true, false])
      expect(findDriverViolations('x.ts', text, isDriver).map((one) => one.what)).toContain(what)
  })

  it.each([
    ["import { readFileSync } from 'node:fs'", 'imports more'],
    ["import { playDriver } from '../../../runner/libraries/play-driver.ts'", 'imports more'],
    [
      "import { UnsupportedActionError } from '../../../runner/libraries/action-surface.ts'",
      'imports more',
    ],
    ["const fs = await import('node:fs')", 'imports while it runs'],
    ['globalThis[name](0)', 'reaches for globalThis'],
    ['while (Date.now() < until);', 'reads the clock'],
    ['const today = new Date()', 'reads the clock'],
    ["import { draw } from '../apps/kit/draw.ts'", 'imports more'],
  ])('turns red at a driver that has %s', (text, what) => {
    const found = findDriverViolations('driver.ts', text, true).map((one) => one.what)
    expect(found.join()).toContain(what)
  })

  it('leaves a driver alone that keeps to the surface', () => {
    const text = `import type { Driver } from '../../../runner/libraries/driver.ts'
      import type { BrowserActions } from '#runner/libraries/action-surface.ts'
      import { signIn } from '../apps/shop/shop-steps.ts'
      const day = new Date('2026-03-02')
      // no setTimeout here
      export const driver: Driver = { steps: [{ name: 'look', run: (page) => page.waitText('Paused: sleep well') }], wrong: {} }`
    expect(findDriverViolations('driver.ts', text, true)).toEqual([])
  })
})
