import { join } from 'node:path'
import type { AppPool } from '../../apps/app-pool.ts'
import { startAppPool } from '../../apps/start-app-pool.ts'
import { startBrowserPool } from '../../browser/start-browser-pool.ts'
import { createAttemptDirs } from '../../engine/workspace.ts'
import { local } from '../../sandbox/isolation/local.ts'
import { CappedLog } from '../../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { startGuard } from '../../sandbox/process/start-guard.ts'
import { makeScratch } from '../../scratch.ts'
import type { LibraryAdapter } from '../library-adapter.ts'
import { bundleProgram, playLibrary } from '../play-library.ts'
import type { LibraryTrace } from '../read-trace.ts'

const MAX_MS = 120_000
const ACTION_TIMEOUT_MS = 2000

/** A driver of this repository, run on an app. */
export type PlayRequest = { driver: string; origin: string; maxActions: number }
export type PlayScript = (request: PlayRequest) => Promise<LibraryTrace>

/** Browsers and apps for measuring libraries apart from episodes; one temporary folder, removed by `close`. */
export type MeasureBench = {
  folder: string
  apps: AppPool
  player: (adapter: LibraryAdapter) => PlayScript
  close: () => Promise<void>
}

/** Opens the bench; a guard cleans up after it even if it is killed. Throws a RunnerError without a Chromium. */
export async function openBench(): Promise<MeasureBench> {
  const temporary = await makeScratch('pb-measure')
  const guard = startGuard('run_measure', temporary, null)
  const run = { temporary, runMark: guard.mark }
  try {
    const browsers = await startBrowserPool({ ...run, env: RUNNER_ENV })
    const apps = await startAppPool({ ...run, folder: temporary })
    const lease = (adapter: LibraryAdapter) =>
      browsers.lease({ reuse: 'cold', webdriver: adapter.webdriver })
    return {
      folder: temporary,
      apps,
      player: (adapter) => (request) => play(adapter, request, lease, run),
      close: async () => {
        await Promise.all([browsers.close(), apps.close()])
        await guard.release()
      },
    }
  } catch (error) {
    await guard.release()
    throw error
  }
}

type Lease = (
  adapter: LibraryAdapter,
) => ReturnType<Awaited<ReturnType<typeof startBrowserPool>>['lease']>

/** As in an episode: the library in its own process, with its own browser. */
async function play(
  adapter: LibraryAdapter,
  { driver, origin, maxActions }: PlayRequest,
  lease: Lease,
  { temporary, runMark }: { temporary: string; runMark: string },
): Promise<LibraryTrace> {
  const driverPath = await bundleProgram(driver)
  const place = await createAttemptDirs(temporary, null, 'place')
  const browser = await lease(adapter)
  const log = new CappedLog(join(place.folder, 'library.log'), 1 << 20)
  try {
    await browser.prepare(place.workspace)
    const trace = await playLibrary(
      {
        ...place,
        isolation: local,
        marker: place.folder,
        runMark,
        log,
        signal: new AbortController().signal,
        settings: { timeoutMs: MAX_MS, diskQuotaBytes: 64 << 20 },
      },
      {
        library: adapter.name,
        drive: { kind: 'scripted', driverPath, wrong: null },
        endpoint: browser.endpoint,
        webdriverPort: browser.webdriverPort,
        origin,
        start: '/',
        files: {},
        actionTimeoutMs: ACTION_TIMEOUT_MS,
        maxActions,
        folder: place.temporary,
      },
      RUNNER_ENV,
    )
    return trace
  } finally {
    log.close()
    await browser.release()
    await place.remove()
  }
}
