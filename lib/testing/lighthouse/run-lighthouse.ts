import lighthouse, { desktopConfig } from 'lighthouse'
import { z } from 'zod'
import { boardSchema } from '../../domain/board/index.ts'
import { launchTestChromium } from '../e2e/browser.ts'
import { freePort } from '../e2e/start-copy.ts'
import { startDemoCopy } from '../e2e/start-demo-copy.ts'
import {
  cpuSlowdown,
  type Device,
  headLines,
  listMissed,
  type Measures,
  measuredLine,
  medianMeasures,
  readReport,
} from './goals.ts'

type Config = NonNullable<Parameters<typeof lighthouse>[2]>

const DEVICES = ['phone', 'desktop'] as const
/** Categories that do not depend on the load of the machine. */
const QUIET_CATEGORIES = ['accessibility', 'best-practices', 'seo']

type Options = { runs: number; skipPerformance: boolean }

/**
 * Measures pages of the production build with demo data on phone and desktop, and prints the medians with their goals.
 * Returns the exit code: 1 if a goal is missed. Performance needs an idle machine.
 */
export async function main(
  names: readonly string[],
  { runs, skipPerformance }: Options,
): Promise<number> {
  const order = {
    names,
    runs: skipPerformance ? 1 : runs,
    categories: skipPerformance ? QUIET_CATEGORIES : ['performance', ...QUIET_CATEGORIES],
  }
  const port = await freePort()
  const copy = await startDemoCopy()
  const own = ['--disable-back-forward-cache']
  const browser = await launchTestChromium([`--remote-debugging-port=${port}`], own)
  try {
    return await measureAll(copy.url, port, order)
  } finally {
    await browser.close()
    await copy.stop()
  }
}

type Order = { names: readonly string[]; runs: number; categories: string[] }

async function measureAll(url: string, port: number, order: Order): Promise<number> {
  const pages = Object.entries(await findPages(url)).filter(
    ([name]) => order.names.length === 0 || order.names.includes(name),
  )
  process.stdout.write(`${headLines().join('\n')}\n`)
  let missed = 0
  for (const [name, path] of pages) {
    for (const device of DEVICES) {
      const { measures, failed, runs } = await measure(`${url}${path}`, device, port, order)
      process.stdout.write(`${measuredLine(name, device, measures)}\n`)
      for (const audit of failed) process.stdout.write(`            ${audit}\n`)
      missed += runs === 0 ? 1 : listMissed(measures, device).length
    }
  }
  process.stdout.write(missed === 0 ? 'all goals reached\n' : `${missed} goals missed\n`)
  return missed === 0 ? 0 : 1
}

/**
 * Discards the first of several runs, which meets an empty server cache, as few readers do. A run that Lighthouse could
 * not measure is reported; the others count.
 */
async function measure(
  url: string,
  device: Device,
  port: number,
  { runs, categories }: Order,
): Promise<{ measures: Measures; failed: string[]; runs: number }> {
  await fetch(url)
  const all: Measures[] = []
  const failed = new Set<string>()
  const needsBenchmark = device === 'phone' && categories.includes('performance')
  let index = needsBenchmark ? await readBenchmark(url, port) : 0
  for (let run = 0; run < runs; run++) {
    const flags = { port, logLevel: 'error' as const, onlyCategories: categories }
    const result = await lighthouse(url, flags, configOf(device, index))
    index = result?.lhr.environment.benchmarkIndex ?? index
    const read = readReport(result?.lhr)
    if ('error' in read) {
      failed.add(`a run could not be measured: ${read.error}`)
      continue
    }
    all.push(read.measures)
    for (const audit of read.failed) failed.add(audit)
  }
  return { measures: medianMeasures(all), failed: [...failed], runs: all.length }
}

async function readBenchmark(url: string, port: number): Promise<number> {
  const flags = { port, logLevel: 'error' as const, onlyCategories: ['seo'] }
  return (await lighthouse(url, flags))?.lhr.environment.benchmarkIndex ?? 0
}

/**
 * Returns the settings for a device. By default Lighthouse divides the speed of this machine by 4 for a phone, which is
 * right for a fast desktop only; its documentation asks to calibrate by the benchmark in each report.
 */
function configOf(device: Device, benchmark: number): Config {
  if (device === 'desktop') return desktopConfig
  const throttling = { cpuSlowdownMultiplier: cpuSlowdown(benchmark) }
  return { extends: 'lighthouse:default', settings: { throttling } }
}

const episodesSchema = z.object({ episodes: z.array(z.object({ episodeId: z.string() })) })

/** Addresses of the five kinds of pages, for the demo suite. */
async function findPages(url: string): Promise<Record<string, string>> {
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const board = boardSchema.parse(await read('/api/v1/leaderboard?suite=demo'))
  const [first, second] = board.rows
  const { episodes } = episodesSchema.parse(await read('/api/v1/episodes?suite=demo&limit=1'))
  return {
    board: '/?suite=demo',
    agent: `/agents/${first?.subject.name}`,
    task: `/suites/demo/tasks/${board.suite.tasks[0]?.taskId}`,
    compare: `/compare?rows=${first?.rowId},${second?.rowId}`,
    episode: `/episodes/${episodes[0]?.episodeId}`,
  }
}
