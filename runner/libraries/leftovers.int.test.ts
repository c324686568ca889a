// @module-tag chromium
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChromium, type TestBrowser } from '#lib/testing/factories/chromium.ts'
import { pollUntil } from '#lib/testing/factories/proofboard-command.ts'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/factories/serve-fixture-site.ts'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import { MARKER_VARIABLE, ProcessTree } from '../sandbox/process/process-tree.ts'
import type { HostRequest } from './host-protocol.ts'
import { bundleProgram } from './play-library.ts'

let site: FixtureSite
let browser: TestBrowser
const root = mkdtempSync(join(tmpdir(), 'pb-left-'))

beforeAll(async () => {
  site = await serveFixtureSite()
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(root, { recursive: true, force: true })
})

const NAME = 'leaves nothing of %s when its host is killed in the middle'
it.each(['playwright-mcp'])(NAME, leavesNothing)
it.each(['chrome-devtools-mcp', 'agent-browser'])(NAME, { tags: 'night' }, leavesNothing)

async function leavesNothing(library: string): Promise<void> {
  const folder = mkdtempSync(join(root, 'host-'))
  const driverFile = join(folder, 'driver.ts')
  writeFileSync(
    driverFile,
    `export const driver = { steps: [{ name: 'look', run: async (page, { origin }) => {
      await page.open(origin + '/')
      for (;;) await page.observe()
    } }], wrong: {} }`,
  )
  const marker = `left-${randomUUID()}`
  const order: HostRequest = {
    library,
    drive: { kind: 'scripted', driverPath: await bundleProgram(driverFile), wrong: null },
    endpoint: browser.endpoint,
    webdriverPort: null,
    sockets: [],
    chromedriver: null,
    origin: site.origin,
    start: '/',
    files: {},
    actionTimeoutMs: 30_000,
    maxActions: 100_000,
    folder,
    tracePath: join(folder, 'trace.jsonl'),
  }
  const program = await bundleProgram('runner/libraries/host/main.ts')
  const env = { PATH: process.env.PATH ?? '', HOME: folder, [MARKER_VARIABLE]: marker }
  const host = spawn(process.execPath, [program], {
    env: env as unknown as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  host.stdin?.end(JSON.stringify(order))
  const tree = new ProcessTree({ rootPid: host.pid ?? 0, marker, folder })
  await pollUntil(() => tellsOf(order.tracePath, 'observe'))
  // The host and its child: a server or a daemon.
  expect(tree.look().length).toBeGreaterThan(1)
  process.kill(host.pid ?? 0, 'SIGKILL')
  await sleep(200)
  expect(await tree.destroy()).toBe(true)
  const left = listProcesses().filter(({ environment }) =>
    environment.includes(`${MARKER_VARIABLE}=${marker}`),
  )
  expect(left).toEqual([])
  const { status } = await fetch(`${browser.endpoint}/json/version`)
  expect(status).toBe(200)
}

function tellsOf(path: string, words: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(words)
  } catch {
    return false
  }
}
