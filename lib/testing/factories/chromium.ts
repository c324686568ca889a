import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromedriver } from '#runner/browser/chromedriver.ts'
import { findChromium } from '#runner/browser/find-chromium.ts'
import { BROWSER } from '#runner/kinds/browser/browser.ts'
import { findSuiteLocation } from '#runner/kinds/find-suite.ts'
import { tasksOf } from '#runner/kinds/kind.ts'
import { loadSuite } from '#runner/kinds/load-suite.ts'
import { isRunnerError } from '#runner/runner-error.ts'
import { startService } from '#runner/sandbox/process/start-service.ts'
import { selectTasks } from '#runner/suites/select-tasks.ts'
import type { BrowserSuite } from '#runner/suites/task-folder.ts'
import { type Episode, parseBundle } from '../../domain/record/index.ts'
import { listBrowserPaths } from '../../setup/ensure-browser.mjs'

const CHROMIUM = listBrowserPaths({ ...process.env }).find((path) => existsSync(path)) ?? null
const CHROMEDRIVER = await findDriver()

async function findDriver(): Promise<string | null> {
  if (CHROMIUM === null) return null
  try {
    const chromium = await findChromium(process.env)
    return (await findChromedriver(process.env, chromium)).path
  } catch (error) {
    if (isRunnerError(error)) return null
    throw error
  }
}

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--remote-debugging-port=0',
]

/** A browser for a test, as the harness passes it to a library. */
export type TestBrowser = { endpoint: string; close: () => Promise<void> }

/** Starts a Chromium with a fresh profile and one empty page. */
export async function startChromium(): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'proofboard-chromium-'))
  if (CHROMIUM === null) throw new Error('no Chromium was found')
  const argv = [CHROMIUM, ...FLAGS, `--user-data-dir=${profile}`, 'about:blank'] as const
  const { found, stop } = await startAndRead(argv, /DevTools listening on ws:\/\/([^/]+)\//)
  return {
    endpoint: `http://${found}`,
    close: async () => {
      await stop()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Starts a chromedriver that attaches to running browsers. */
export async function startChromedriver(): Promise<{ port: number; close: () => Promise<void> }> {
  if (CHROMEDRIVER === null) throw new Error('no chromedriver was found')
  const { found, stop } = await startAndRead(
    [CHROMEDRIVER, '--port=0'],
    /successfully on port (\d+)/,
  )
  return {
    port: Number(found),
    close: async () => {
      await stop()
    },
  }
}

async function startAndRead(argv: readonly [string, ...string[]], pattern: RegExp) {
  let tell: (found: string) => void = () => {}
  const address = new Promise<string>((resolve) => {
    tell = resolve
  })
  const service = startService({
    argv,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir() },
    runMark: `test-${process.pid}`,
    onLine: (line) => {
      const found = pattern.exec(line)?.[1]
      if (found !== undefined) tell(found)
    },
  })
  const found = await Promise.race([
    address,
    service.ended.then((ending) => {
      throw new Error(`${argv[0]} did not start: ${JSON.stringify(ending)}`)
    }),
  ])
  return { found, stop: service.stop }
}

/** True if every test run tries this library. PROOFBOARD_TEST_LIBRARIES=all tries all nine and takes minutes more. */
export function isLibraryTried(name: string): boolean {
  return process.env.PROOFBOARD_TEST_LIBRARIES === 'all' || name === 'playwright'
}

/** Reads the episodes of a run's result. Throws if the result is invalid. */
export function episodesIn(out: string): Episode[] {
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)))
  return parsed.value.episodes
}

/** Counts the sealed attempts of a run so far. */
export function countSealed(out: string): number {
  const folder = join(out, 'episodes')
  if (!existsSync(folder)) return 0
  const paths = readdirSync(folder, { recursive: true })
  return paths.filter((path) => String(path).endsWith('episode.json')).length
}

/** Reads a stored text file of an attempt. */
export function readEvidenceText(out: string, episode: Episode, path: string): string {
  const { taskId, repetition, attempt } = episode
  return readFileSync(join(out, 'episodes', taskId, `r${repetition}-a${attempt}`, path), 'utf8')
}

/** Loads the browser suite with the named tasks, or all of them. */
export async function loadWorkflowSuite(
  name: string,
  names: readonly string[] | null,
): Promise<BrowserSuite> {
  const suite = await loadSuite(findSuiteLocation(name, '/nowhere'), () => {
    throw new Error(`${name} is not a browser suite`)
  })
  const tasks = tasksOf(BROWSER, suite)
  if (tasks === null) throw new Error(`${name} is not a browser suite`)
  return { ...suite, tasks: selectTasks(tasks, names) }
}
