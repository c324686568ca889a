import type { SimulationRecord } from '#lib/domain/statistics/simulation-record.ts'
import { percent, sizeOf } from './words.ts'

/** The tables of coverage as `npm run simulate` prints them, line by line. */
export function describeCoverage(record: SimulationRecord): string[] {
  return [
    ...record.results.map(pooledLine),
    ...coverageLines(record),
    ...differenceLines(record),
    `${rowsDrawn(record).toLocaleString('en')} rows were drawn`,
  ]
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

function cells(coverage: readonly number[], width: readonly number[]): string {
  return coverage
    .map((share, index) => {
      const points = (100 * (width[index] ?? 0)).toFixed(0).padStart(2)
      return `${(100 * share).toFixed(1).padStart(5)} (${points})`
    })
    .join(' ')
}
