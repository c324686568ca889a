import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/browser/serve-fixture-site.ts'
import { startChromium, type TestBrowser } from '#lib/testing/browser/start-chromium.ts'
import { local } from '../isolation/local.ts'
import { CappedLog } from '../process/capped-log.ts'
import { bundleProgram } from './bundle-program.ts'
import type { HostOrder } from './host-protocol.ts'
import { playLibrary } from './play-library.ts'

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

async function play(steps: string, changes: Partial<HostOrder> = {}, timeoutMs = 50_000) {
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
    actionTimeoutMs: 2000,
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

it('plays a driver in a process of its own and tells each action', async () => {
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

it('gives up when no rung helps, with the library’s own words', async () => {
  const nowhere = `{ css: '#nowhere', role: 'button', name: 'Nowhere' }`
  const { ending, report } = await play(
    `${OPEN}, { name: 'find', run: (page) => page.click(${nowhere}) }`,
    { actionTimeoutMs: 300 },
  )
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 1 })
  expect(report).toMatchObject({
    ending: 'gave-up',
    rung: 'given-up',
    libraryError: { step: 'find', action: 'click', message: expect.stringContaining('Timeout') },
  })
  expect(report?.firstErrorAt).toBeGreaterThan(0)
})

it('ends a driver that goes on and on, whatever it catches', async () => {
  const { ending, report, actions } = await play(
    `{ name: 'turn', run: async (page) => { for (;;) await page.url().catch(() => {}) } }`,
    { maxActions: 7 },
  )
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 1 })
  expect(actions).toHaveLength(7)
  expect(report).toMatchObject({ ending: 'out-of-actions', libraryError: null })
})

it('is ended at the time limit when the driver waits for ever, and keeps what was done', async () => {
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

it('fails in one line for a library that does not exist and a driver that is none', async () => {
  expect(await play(OPEN, { library: 'nobody' })).toMatchObject({
    ending: { cause: 'exited', exitCode: 1 },
    report: null,
  })
  expect(await play('')).toMatchObject({ ending: { cause: 'exited', exitCode: 1 }, report: null })
})
