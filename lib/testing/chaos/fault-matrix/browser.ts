import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BROWSER_FAULT_KINDS, browserFaultKindSchema } from '#lib/domain/record/index.ts'
import { faultsOf } from '#lib/domain/tasks/index.ts'
import { loadWorkflowSuite } from '../../factories/chromium.ts'
import { describeCell, NOT_TAKEN, playColumn } from './browser-cells.ts'

const WIDTH = 30

/**
 * Prints task × fault × library: for each library first its runs without a fault, then one fault after the other, with
 * the usual command line. Rows are printed as they end; they show real episodes and are never ranked.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      suite: { type: 'string', default: 'browser' },
      libraries: { type: 'string', default: 'playwright,puppeteer,cdp' },
      faults: { type: 'string', default: BROWSER_FAULT_KINDS.join(',') },
      tasks: { type: 'string' },
      repetitions: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: '2' },
    },
  })
  const libraries = values.libraries.split(',')
  const faults = values.faults.split(',').map((kind) => browserFaultKindSchema.parse(kind))
  const { tasks } = await loadWorkflowSuite(values.suite, values.tasks?.split(',') ?? null)
  const work = mkdtempSync(join(tmpdir(), 'proofboard-faults-'))
  const column = { suite: values.suite, work, ...pick(values, ['repetitions', 'concurrency']) }
  try {
    const names = tasks.map(({ task }) => task.taskId)
    const baseline = await playAll(libraries, { ...column, fault: null, tasks: names })
    print(['task', 'fault', ...libraries])
    for (const task of names)
      print([task, '(none)', ...libraries.map((name) => describeCell(baseline, name, task, true))])
    for (const fault of faults) {
      const taking = tasks.filter(({ task }) => faultsOf(task).includes(fault))
      if (taking.length === 0) continue
      const taken = taking.map(({ task }) => task.taskId)
      const played = await playAll(libraries, { ...column, fault, tasks: taken })
      for (const task of taken) print([task, fault, ...libraries.map((name) => cell(name, task))])
      function cell(name: string, task: string): string {
        const passes = describeCell(baseline, name, task, true).startsWith('solved')
        return describeCell(played, name, task, passes)
      }
    }
    process.stdout.write(LEGEND)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const LEGEND = `
recovered n/N = the fault fired N times and the same final contract passed n times; then the highest rung that was needed
(automatic, retry, new-page, reconnect) and the median time from firing to the library's first error.
${NOT_TAKEN} = not played; no baseline = the library does not pass this task without a fault, so the cell says nothing.
`

type Options = Parameters<typeof playColumn>[1]

async function playAll(libraries: readonly string[], options: Options) {
  const played = new Map<string, Awaited<ReturnType<typeof playColumn>>>()
  for (const library of libraries) played.set(library, await playColumn(library, options))
  return played
}

function pick<K extends string>(from: Record<K, string>, names: readonly K[]): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Record<K, string>
}

function print(cells: readonly string[]): void {
  process.stdout.write(
    `${cells
      .map((one) => one.padEnd(WIDTH))
      .join(' ')
      .trimEnd()}\n`,
  )
}
