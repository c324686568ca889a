import { mkdtemp, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Environment, TracedAction } from '#lib/domain/record/index.ts'
import type { LibraryFact } from '#lib/domain/reports/index.ts'
import type { AppPool } from '../../apps/app-pool.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { DRIVER_FILE } from '../../suites/read-workflow.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'
import { describeTools, listTypedTools } from '../describe-tools.ts'
import type { HostReport } from '../host-protocol.ts'
import type { LibraryAdapter } from '../library-adapter.ts'
import { induceErrors } from './induce-errors.ts'
import type { MeasureBench, PlayScript } from './open-bench.ts'

type MeasureParts = {
  bench: MeasureBench
  tasks: readonly LoadedWorkflow[]
  harness: Environment['harness']
  now: () => string
}

/** Takes all measurements of one installed library apart from episodes; takes about half a minute. */
export async function measureLibrary(
  adapter: LibraryAdapter,
  version: string,
  { bench, tasks, harness, now }: MeasureParts,
): Promise<LibraryFact> {
  const play = bench.player(adapter)
  return {
    name: adapter.name,
    version,
    adapterLines: await countAdapterLines(`${adapter.name}.ts`),
    driverLinesPerTask: await countDriverLines(tasks),
    tools: await measureTools(adapter, bench.folder),
    pagesShown: await weighPages(play, bench.apps),
    errors: await induceErrors(play),
    authSetup: await timeSignIn(play, bench.apps),
    measuredAt: now(),
    harness,
  }
}

/** The driver of a task is the same for every library. */
async function countDriverLines(tasks: readonly LoadedWorkflow[]): Promise<Record<string, number>> {
  const counted = tasks.map(async ({ folder, task }): Promise<[string, number]> => {
    return [task.taskId, countCodeLines(await readFile(join(folder, DRIVER_FILE), 'utf8'))]
  })
  return Object.fromEntries(await Promise.all(counted))
}

/**
 * Analyses a server's tool descriptions; null for a library that is not a server. Listed before a browser is searched.
 */
async function measureTools(
  { openTools }: LibraryAdapter,
  folder: string,
): Promise<LibraryFact['tools']> {
  if (!openTools) return null
  const server = await openTools({
    endpoint: 'http://127.0.0.1:9',
    webdriverPort: null,
    actionTimeoutMs: 5000,
    folder: await mkdtemp(join(folder, 'tools-')),
    signal: new AbortController().signal,
    log: () => {},
    countResult: () => {},
  })
  try {
    const { tools, described, tokens } = await describeTools(server.tools)
    const typed = listTypedTools(server.tools).length
    return { count: tools, described: described.have, typed, schemaTokens: tokens }
  } finally {
    await server.close()
  }
}

const DRIVER = 'runner/libraries/measure/look-driver.ts'
/** First pages of the fixture apps: a catalogue, a table, a list of forms. */
const APPS = ['shop', 'admin', 'application']
const ENOUGH_ACTIONS = 3

let looks = 0

/**
 * Measures how much text a library returns for opening a page and reading it once, over the first pages of the apps.
 */
async function weighPages(
  play: PlayScript,
  apps: AppPool,
): Promise<NonNullable<LibraryFact['pagesShown']> | null> {
  const reports: (HostReport | null)[] = []
  for (const app of APPS) {
    const tenant = await apps.open({ app, tenant: `look${looks++}`, seed: 7, fault: null })
    try {
      const { report } = await play({
        driver: DRIVER,
        origin: tenant.origin,
        maxActions: ENOUGH_ACTIONS,
      })
      reports.push(report)
    } finally {
      await tenant.close()
    }
  }
  return addUp(reports)
}

/** Null unless every page was read: a mean over some would be a guess. */
export function addUp(
  reports: readonly (Pick<HostReport, 'ending' | 'resultBytes' | 'resultTokens'> | null)[],
): NonNullable<LibraryFact['pagesShown']> | null {
  const seen = reports.flatMap((report) =>
    report?.ending === 'finished' && report.resultBytes !== null ? [report] : [],
  )
  if (seen.length === 0 || seen.length < reports.length) return null
  const bytes = seen.reduce((sum, { resultBytes }) => sum + (resultBytes ?? 0), 0)
  const isCounted = seen.every(({ resultTokens }) => resultTokens !== null)
  const tokens = isCounted ? seen.reduce((sum, one) => sum + (one.resultTokens ?? 0), 0) : null
  return { pages: seen.length, bytes, tokens }
}

/** A workflow that begins with signing in; its script is cut off soon after. */
const SHOP = {
  app: 'shop',
  seed: 7,
  driver: 'exercises/browser/shop-sort-wishes/driver.ts',
  steps: 'exercises/browser/apps/shop/shop-steps.ts',
  step: 'sign in',
}
const SIGN_IN_ACTIONS = 12

let plays = 0

/** Signs in to the shop once, as its workflows do, and reads the duration of that step from the trace. */
async function timeSignIn(play: PlayScript, apps: AppPool): Promise<LibraryFact['authSetup']> {
  const { app, seed, driver } = SHOP
  const tenant = await apps.open({ app, tenant: `signin${plays++}`, seed, fault: null })
  try {
    const { actions } = await play({ driver, origin: tenant.origin, maxActions: SIGN_IN_ACTIONS })
    return { lines: await countSignInLines(), ms: durationOf(actions) }
  } finally {
    await tenant.close()
  }
}

/** Duration from the step's first action to the end of its last; null if it failed, or is the last step. */
export function durationOf(actions: readonly TracedAction[]): number | null {
  const own = actions.filter(({ step }) => step === SHOP.step)
  const [first] = own
  const last = own.at(-1)
  const isLeft = actions.some(({ step }) => step !== SHOP.step)
  if (!first || !last || !isLeft || own.some(({ error }) => error !== null)) return null
  return Math.round(last.startMs + last.durationMs - first.startMs)
}

async function countSignInLines(): Promise<number | null> {
  const source = await readFile(join(PROJECT_ROOT, SHOP.steps), 'utf8')
  const [body] = /^export function signInAs\([\s\S]*?^\}/m.exec(source) ?? []
  return body === undefined ? null : countCodeLines(body)
}

const LIBRARIES = join(PROJECT_ROOT, 'runner', 'libraries')
/** Code shared by every adapter: the port, and package lookup. */
const COMMON = ['action-surface.ts', 'installed-package.ts']
/** Imports of values; types are erased. */
const IMPORT = /^import (?!type )[^'"]*?from '(\.{1,2}\/[^']+)'/gm

/**
 * Counts the lines of code that adapt a library: its adapter and what that imports from `runner/libraries`, except code
 * shared by every adapter. Code shared by two adapters counts for both.
 */
export async function countAdapterLines(file: string): Promise<number> {
  let count = 0
  for (const path of await listOwnFiles(join(LIBRARIES, file)))
    count += countCodeLines(await readFile(path, 'utf8'))
  return count
}

async function listOwnFiles(entry: string): Promise<string[]> {
  const found = [entry]
  for (const path of found) {
    const source = await readFile(path, 'utf8')
    const imported = [...source.matchAll(IMPORT)].map(([, name = '']) => join(dirname(path), name))
    found.push(...imported.filter((one) => isOwn(one) && !found.includes(one)))
  }
  return found
}

function isOwn(path: string): boolean {
  const below = relative(LIBRARIES, path)
  return !below.startsWith('..') && !COMMON.includes(below)
}

/** Counts the lines of code in a TypeScript source, without blank and comment lines. */
export function countCodeLines(source: string): number {
  let isInComment = false
  let count = 0
  for (const line of source.split('\n').map((one) => one.trim())) {
    const opens = !isInComment && line.startsWith('/*')
    if (!isInComment && !opens && line !== '' && !line.startsWith('//')) count += 1
    if (opens) isInComment = true
    if (isInComment && line.includes('*/')) isInComment = false
  }
  return count
}
