import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { enqueueJob } from '../../db/job-store.ts'
import { openDb } from '../../db/open-db.ts'
import { ensureBuilt } from '../../setup/build.mjs'
import { ensureShell, findBrowser } from '../../setup/ensure-browser.mjs'
import { writeMigrated } from '../factories/temporary-database.ts'
import { CONTROLS, serveTestChromium } from './browser.ts'
import { startCopy } from './start-copy.ts'
import { startDemoCopy } from './start-demo-copy.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the server that all browser tests share: `inject('siteUrl')`. */
    siteUrl: string
    /** Data folder of that server. */
    siteDir: string
    /** Address of another server with the demo suites that runs nothing, for tests that only read. */
    demoUrl: string
    /** Data folder of the demo server. */
    demoDir: string
    /** Address of the Chromium that all browser tests share; empty if this machine has none. */
    browserUrl: string
  }
}

/** Hides this machine's Chromium from the runner, so that tests do not wait for browser runs that they do not need. */
const NO_CHROMIUM = { PROOFBOARD_CHROMIUM: 'none' }

/**
 * Builds the app, and starts two servers and a Chromium for all browser tests; one server runs controls. Returns a
 * function that stops them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt()
  await chooseBrowser()
  const settings = { ...NO_CHROMIUM, PROOFBOARD_FIRST_RUNS: '0' }
  const [site, demo, browser] = await Promise.all([
    startCopy(settings, queueControls),
    startDemoCopy(NO_CHROMIUM),
    findBrowser() === null ? null : serveTestChromium(),
  ])
  project.provide('siteUrl', site.url)
  project.provide('siteDir', site.dataDir)
  project.provide('demoUrl', demo.url)
  project.provide('demoDir', demo.dataDir)
  project.provide('browserUrl', browser?.wsEndpoint() ?? '')
  return async () => {
    await Promise.all([site.stop(), demo.stop(), browser?.close()])
  }
}

/** Uses the headless shell for tests of pages, if there is one, and the full browser for browser workflows. */
async function chooseBrowser(): Promise<void> {
  const chromium = findBrowser()
  if (chromium === null) return
  process.env.PROOFBOARD_TEST_CHROMIUM ??= await ensureShell(chromium)
  process.env.PROOFBOARD_CHROMIUM = chromium
}

/** Queues the runs of the shared board, one after the other; `boardFilled` waits for all of them. */
async function queueControls(dataDir: string): Promise<void> {
  const file = join(dataDir, 'proofboard.db')
  writeMigrated(file)
  const db = openDb(file)
  const now = Date.now()
  for (const [place, [subject, tasks]] of Object.entries(CONTROLS).entries()) {
    const job = { suiteId: 'typescript', repetitions: 1, subject, tasks: [...tasks] }
    await enqueueJob(db, job, new Date(now + place))
  }
  await db.$disconnect()
}
