import { boardSchema } from '../../domain/board/index.ts'
import { launchTestChromium } from '../e2e/browser.ts'
import { startDemoCopy } from '../e2e/start-demo-copy.ts'
import { CHART_GOAL, type FirstLoad, measureFirstLoad, PAGE_CLASSES } from './first-load.ts'

/** Prints the JavaScript of each class of pages and its goal; `isDetailed` lists the files. */
export async function main(isDetailed: boolean): Promise<number> {
  const copy = await startDemoCopy({ PROOFBOARD_CHROMIUM: 'none' })
  const browser = await launchTestChromium()
  let missed = 0
  try {
    const response = await fetch(`${copy.url}/api/v1/leaderboard?suite=demo`)
    const rowIds = boardSchema.parse(await response.json()).rows.map(({ rowId }) => rowId)
    say(
      `${'page'.padEnd(14)}${'first load'.padStart(12)}${'goal'.padStart(12)}${'charts'.padStart(12)}`,
    )
    for (const { name, goal, path } of PAGE_CLASSES) {
      const load = await measureFirstLoad(browser, `${copy.url}${path(rowIds)}`)
      const isMissed = load.bytes > goal || load.chartBytes > CHART_GOAL
      missed += isMissed ? 1 : 0
      say(
        `${name.padEnd(14)}${kilobytes(load.bytes)}${kilobytes(goal)}${kilobytes(load.chartBytes)}${isMissed ? '  missed' : ''}`,
      )
      if (isDetailed) listScripts(load)
    }
  } finally {
    await browser.close()
    await copy.stop()
  }
  return missed === 0 ? 0 : 1
}

function listScripts({ scripts }: FirstLoad): void {
  for (const { path, bytes } of scripts) say(`  ${kilobytes(bytes)}  ${path}`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(12)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
