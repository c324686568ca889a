import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  coverageRecord,
  missedCoverage,
  type SimulationRecord,
  simulationRecord,
} from '#lib/domain/statistics/simulation-record.ts'

const FILE = 'lib/domain/methodology/simulation.json'

/**
 * `npm run simulate`: computes what our intervals hold, prints the tables and keeps them for the methodology page. Takes
 * some minutes of one core. Sets exit code 1, after writing, where a goal was missed.
 */
export function main(): void {
  const started = Date.now()
  const record = { ...simulationRecord(), ...coverageRecord() }
  writeFileSync(join(process.cwd(), FILE), toJson(record))
  const missed = missedCoverage(record)
  const lines = [
    ...record.results.map(pooledLine),
    ...coverageLines(record),
    ...differenceLines(record),
    `${rowsDrawn(record).toLocaleString('en')} rows in ${Math.round((Date.now() - started) / 1000)} s, kept in ${FILE}`,
    ...missed.map((sentence) => `MISSED: ${sentence}`),
    missed.length === 0 ? 'Every goal was met.' : `${missed.length} goals were missed.`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (missed.length > 0) process.exitCode = 1
}

/** Lists of numbers stand on one line, as the formatter wants them. */
function toJson(record: SimulationRecord): string {
  const oneLine = (list: string) =>
    list.replace(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']')
  return `${JSON.stringify(record, null, 2).replace(/\[[^{}":]*\]/g, oneLine)}\n`
}

function pooledLine(result: SimulationRecord['results'][number]): string {
  const covers = `${percent(result.clusteredCoverage)} (pooled ${percent(result.pooledCoverage)})`
  const parts = `${percent(result.clusteredSeparation)} (pooled ${percent(result.pooledSeparation)})`
  return `${sizeOf(result)} interval covers ${covers} · equal rows separated ${parts}`
}

function coverageLines({ coverage: { means, rows, fewTasks, rounds, goal } }: SimulationRecord) {
  return [
    '',
    `Rows: coverage in % and (mean width in points), goal ${percent(goal)}, ${rounds} rounds a cell; means ${means.join(' ')}`,
    ...[...rows, ...fewTasks].flatMap((row) => [
      `${nameOf(row)} tasks like these ${cells(row.coverage, row.width)}`,
      `${''.padEnd(21)} these tasks      ${cells(row.theseTasksCoverage, row.theseTasksWidth)}`,
      `${''.padEnd(21)} (t over tasks)   ${cells(row.tCoverage, row.tWidth)}`,
    ]),
  ]
}

function differenceLines({ differences: { means, rows } }: SimulationRecord) {
  return [
    '',
    `Differences: coverage (mean width), and equal rows called different; means ${means.map((pair) => pair.join(' v ')).join(', ')}`,
    ...rows.map((row) => {
      const wrong = row.falsePositive.flatMap((share) => (share === null ? [] : percent(share)))
      return `${nameOf(row)} ${cells(row.coverage, row.width)} · ${wrong.join(' ')}`
    }),
  ]
}

function rowsDrawn({ results, coverage, differences }: SimulationRecord): number {
  const cells = (coverage.rows.length + coverage.fewTasks.length) * coverage.means.length
  const pairs = differences.rows.length * differences.means.length
  const pooled = results.reduce((sum, { rounds }) => sum + 2 * rounds, 0)
  return pooled + coverage.rounds * (cells + 2 * pairs)
}

type Row = { tasks: number; repetitions: number; population: string }

function nameOf(row: Row): string {
  return `${sizeOf(row)} ${row.population.padEnd(10)}`
}

function sizeOf({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`.padEnd(10)
}

function cells(coverage: readonly number[], width: readonly number[]): string {
  return coverage
    .map((share, index) => {
      const points = (100 * (width[index] ?? 0)).toFixed(0).padStart(2)
      return `${(100 * share).toFixed(1).padStart(5)} (${points})`
    })
    .join(' ')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(7)
}
