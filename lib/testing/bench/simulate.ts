import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  coverageRecord,
  type ErrorRecord,
  errorRecord,
  missedCoverage,
  missedGoals,
  type SimulationRecord,
  simulationRecord,
} from './simulation/simulation-record.ts'
import { missedStops, type StopRecord, stopRecord } from './simulation/stop-record.ts'

const FOLDER = 'lib/domain/reports/methodology'

/**
 * `npm run simulate`: measures coverage and error rates of intervals, verdicts, plans and interim looks, prints the
 * tables and stores them for the methodology page. Takes some minutes of one core. Exits with 1, after writing, if a
 * goal is missed.
 */
export function main(): void {
  const started = Date.now()
  const coverage = { ...simulationRecord(), ...coverageRecord() }
  keep('simulation.json', coverage)
  print(describeCoverage(coverage))
  const errors = errorRecord()
  keep('simulation-errors.json', errors)
  print(describeErrors(errors))
  const stops = stopRecord()
  keep('simulation-stops.json', stops)
  print(describeStops(stops))
  const missed = [...missedCoverage(coverage), ...missedGoals(errors), ...missedStops(stops)]
  print(['', `stored in ${FOLDER} after ${Math.round((Date.now() - started) / 1000)} s`])
  print(missed.map((sentence) => `MISSED: ${sentence}`))
  print([missed.length === 0 ? 'Every goal was met.' : `${missed.length} goals were missed.`])
  if (missed.length > 0) process.exitCode = 1
}

/** Puts lists of numbers on one line, like the formatter. */
function keep(name: string, record: unknown): void {
  const oneLine = (list: string) =>
    list.replace(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']')
  const json = JSON.stringify(record, null, 2).replace(/\[[^{}":]*\]/g, oneLine)
  writeFileSync(join(process.cwd(), FOLDER, name), `${json}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Formats the coverage tables of `npm run simulate` as lines. */
export function describeCoverage(record: SimulationRecord): string[] {
  return [
    ...record.results.map(pooledLine),
    ...coverageLines(record),
    ...differenceLines(record),
    `${rowsDrawn(record).toLocaleString('en')} rows were drawn`,
  ]
}

function pooledLine(result: SimulationRecord['results'][number]): string {
  const covers = `${asPercent(result.clusteredCoverage)} (pooled ${asPercent(result.pooledCoverage)})`
  const parts = `${asPercent(result.clusteredSeparation)} (pooled ${asPercent(result.pooledSeparation)})`
  return `${sizeOf(result)} interval covers ${covers} · equal rows separated ${parts}`
}

function coverageLines({ coverage: { means, rows, fewTasks, rounds, goal } }: SimulationRecord) {
  return [
    '',
    `Rows: coverage in % and (mean width in points), goal ${asPercent(goal)}, ${rounds} rounds a cell; means ${means.join(' ')}`,
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
      const wrong = row.falsePositive.flatMap((share) => (share === null ? [] : asPercent(share)))
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

/** Formats the tables of boards, power and looks as lines. */
export function describeErrors({ boards, plans, looks, arms }: ErrorRecord): string[] {
  return [
    ...['', 'Boards of eight rows', ...boards.map(boardLine)],
    ...['', 'Power at the planner’s detectable difference', ...plans.map(planLine)],
    ...['', 'Looks at two equal rows', ...looks.map(lookLine)],
    ...['', 'Experiments with arms', ...arms.map(armLine)],
  ]
}

/** Formats the tables of stopped plans, unusual worlds and modelled rates as lines. */
export function describeStops({ stops, worlds, models }: StopRecord): string[] {
  return [
    ...['', 'Plans that stop when decided', ...stops.map(stopLine)],
    ...['', 'Boards of equal entries in other worlds', ...worlds.map(worldLine)],
    ...['', 'Rates that are partly predicted', ...models.map(modelLine)],
  ]
}

function stopLine(one: StopRecord['stops'][number]): string {
  const found = `better ${asPercent(one.better)} · worse ${asPercent(one.worse)} · no larger ${asPercent(one.noLarger)}`
  return `${one.title.padEnd(52)} ${sizeOf(one)} false ${asPercent(one.wrong)} · median ${asPercent(one.median)} of the plan · ${found}`
}

function worldLine(one: StopRecord['worlds'][number]): string {
  return `${one.title.padEnd(52)} ${sizeOf(one)} false on these tasks ${asPercent(one.theseTasks)} · on similar tasks ${asPercent(one.similar)} · rows covered ${asPercent(one.coverage)}`
}

function modelLine(one: StopRecord['models'][number]): string {
  return `${one.title.padEnd(52)} ${sizeOf(one)} ${one.rows} entries, ${one.subset} tasks of every second one: rates covered ${asPercent(one.coverage)} (${(100 * one.width).toFixed(0)})`
}

function armLine(one: ErrorRecord['arms'][number]): string {
  const effect = one.effect === 0 ? 'A/A' : `planted +${one.effect}`
  return `${effect.padEnd(14)} ${sizeOf(one)} ${one.arms} beside the baseline: better ${asPercent(one.better)} · worse ${asPercent(one.worse)}`
}

function boardLine(result: ErrorRecord['boards'][number]): string {
  const { name, setsHold, anyFalse, anyFalseByFdr, found } = result
  const errors = `some verdict false ${asPercent(anyFalse)} (Benjamini–Hochberg ${asPercent(anyFalseByFdr)})`
  return `${name.padEnd(26)} ${sizeOf(result)} rank sets hold ${asPercent(setsHold)} · ${errors} · found ${asPercent(found)}`
}

function planLine(result: ErrorRecord['plans'][number]): string {
  const { poolRows, detectable, power } = result
  return `${sizeOf(result)} pool of ${poolRows} · detectable ${asPercent(detectable)} · power ${asPercent(power)}`
}

function lookLine(result: ErrorRecord['looks'][number]): string {
  const { kind, looks, plain, judged } = result
  return `${sizeOf(result)} ${kind.padEnd(9)} ${looks} looks · plain test ${asPercent(plain)} · as judged ${asPercent(judged)}`
}

export function sizeOf({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`.padEnd(10)
}

export function asPercent(share: number | null): string {
  return share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`.padStart(7)
}
