// @module-tag chromium
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  isLibraryTried,
  startChromedriver,
  startChromium,
  type TestBrowser,
} from '#lib/testing/factories/chromium.ts'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/factories/serve-fixture-site.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { HostRequest } from './host-protocol.ts'
import { bundleProgram, playLibrary } from './play-library.ts'
import { findLibrary } from './registry.ts'

let site: FixtureSite
let browser: TestBrowser
const root = mkdtempSync(join(tmpdir(), 'proofboard-host-'))
let plays = 0

beforeAll(async () => {
  site = await serveFixtureSite()
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(root, { recursive: true, force: true })
})

async function play(steps: string, changes: Partial<HostRequest> = {}, timeoutMs = 50_000) {
  const folder = join(root, `play-${plays++}`)
  const [workspace, home, temporary] = ['task', 'home', 'tmp'].map((name) => join(folder, name))
  for (const path of [workspace, home, temporary]) mkdirSync(path as string, { recursive: true })
  const driverFile = join(root, `driver-${plays}.ts`)
  writeFileSync(driverFile, `export const driver = { steps: [${steps}], wrong: {} }`)
  const log = new CappedLog(join(folder, 'log'), 1 << 20)
  const marker = `test-${process.pid}-${plays}`
  const turn = {
    isolation: local,
    workspace: workspace as string,
    home: home as string,
    temporary: temporary as string,
    folder,
    marker,
    runMark: marker,
    log,
    signal: new AbortController().signal,
    settings: { timeoutMs, diskQuotaBytes: 64 << 20 },
  }
  const order = {
    library: 'playwright',
    drive: {
      kind: 'scripted' as const,
      driverPath: await bundleProgram(driverFile),
      wrong: null,
    },
    endpoint: browser.endpoint,
    webdriverPort: null,
    origin: site.origin,
    start: '/',
    files: {},
    actionTimeoutMs: 30_000, // a busy machine draws slowly
    maxActions: 50,
    folder: workspace as string,
    ...changes,
  }
  const played = await playLibrary(turn, order, process.env)
  log.close()
  return played
}

const ADD = `{ css: '#add', role: 'button', name: 'Add' }`
const OPEN = `{ name: 'open', checkpoint: true, run: (page, { origin }) => page.open(origin + '/') }`

it('plays a driver in a process of its own and reports each action', async () => {
  const { ending, actions, report } = await play(
    `${OPEN}, { name: 'add', run: (page) => page.click(${ADD}) }`,
  )
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 0, leftBehind: 0, clean: true })
  expect(report).toMatchObject({ ending: 'finished', rung: null, libraryError: null })
  expect(report?.connectMs).toBeGreaterThan(0)
  expect(actions).toMatchObject([
    { step: 'open', action: 'open', target: `${site.origin}/`, error: null },
    { step: 'add', action: 'click', target: 'button “Add”', error: null },
  ])
})

it('gives up when no rung helps, with the library’s own words', { tags: 'night' }, async () => {
  const nowhere = `{ css: '#nowhere', role: 'button', name: 'Nowhere' }`
  const { ending, report } = await play(
    `${OPEN}, { name: 'find', run: (page) => page.click(${nowhere}) }`,
    { actionTimeoutMs: 1500 }, // also opening the page again, on a busy machine
  )
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 1 })
  expect(report).toMatchObject({
    ending: 'gave-up',
    rung: 'given-up',
    libraryError: { step: 'find', action: 'click', message: expect.stringContaining('Timeout') },
  })
  expect(report?.firstErrorAt).toBeGreaterThan(0)
})

it('ends a driver that goes on and on, whatever it catches', { tags: 'night' }, async () => {
  const { ending, report, actions } = await play(
    `{ name: 'turn', run: async (page) => { for (;;) await page.url().catch(() => {}) } }`,
    { maxActions: 7 },
  )
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 1 })
  expect(actions).toHaveLength(7)
  expect(report).toMatchObject({ ending: 'out-of-actions', libraryError: null })
})

it('is ended at the time limit when the driver waits for ever, and keeps what was done', {
  tags: 'night',
}, async () => {
  const { ending, report, actions } = await play(
    `${OPEN}, { name: 'wait', run: () => new Promise(() => {}) }`,
    {},
    6000,
  )
  expect(ending).toMatchObject({ cause: 'timeout', clean: true })
  expect(report).toBeNull()
  expect(actions.map(({ action }) => action)).toEqual(['open'])
})

it('says so when there is no browser at the endpoint', async () => {
  const { ending, report } = await play(OPEN, { endpoint: 'http://127.0.0.1:9' })
  expect(ending.exitCode).toBe(1)
  expect(report).toMatchObject({
    ending: 'gave-up',
    connectMs: null,
    libraryError: { step: null, action: 'connect' },
  })
})

it('fails in one line for a library that does not exist and a driver that is none', {
  tags: 'night',
}, async () => {
  expect(await play(OPEN, { library: 'nobody' })).toMatchObject({
    ending: { cause: 'exited', exitCode: 1 },
    report: null,
  })
  expect(await play('')).toMatchObject({ ending: { cause: 'exited', exitCode: 1 }, report: null })
})

for (const library of ['playwright', 'puppeteer', 'selenium', 'webdriverio', 'cdp'].filter(
  isLibraryTried,
)) {
  const hasDriver = findLibrary(library)?.webdriver === true
  it(`${library} ends on a page that froze for good, and leaves nothing behind`, {
    tags: hasDriver ? ['night', 'chromedriver'] : 'night',
    timeout: 120_000,
  }, async () => {
    const own = await startChromium()
    const driver = hasDriver ? await startChromedriver() : null
    const { ending, report, actions } = await play(
      `{ name: 'freeze', checkpoint: true, run: async (page, { origin }) => {
        if (globalThis.isFrozen) return page.open(origin + '/second')
        await page.open(origin + '/freeze')
        globalThis.isFrozen = true
        await page.click({ css: '#freeze', role: 'button', name: 'Freeze' })
        await page.waitText('Never')
      } }, { name: 'read', run: (page) => page.waitText('Second page') }`,
      {
        library,
        actionTimeoutMs: 1500,
        endpoint: own.endpoint,
        webdriverPort: driver?.port ?? null,
      },
      100_000,
    )
    await driver?.close()
    await own.close()
    expect(ending).toMatchObject({ cause: 'exited', leftBehind: 0, clean: true })
    expect(report?.connectMs).toBeGreaterThan(0)
    expect(report?.libraryError?.step).toBe('freeze')
    expect(['finished', 'gave-up']).toContain(report?.ending)
    expect(actions.find(({ error }) => error !== null)?.step).toBe('freeze')
  })
}
