import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorRecord, errorRecord, missedGoals } from '#lib/domain/statistics/error-record.ts'
import {
  type SimulationRecord,
  simulationRecord,
} from '#lib/domain/statistics/simulation-record.ts'

const FILE = 'lib/domain/methodology/simulation.json'
const ERRORS_FILE = 'lib/domain/methodology/simulation-errors.json'

/**
 * `npm run simulate`: computes what our intervals, verdicts, plans and looks hold, prints the tables and keeps them for
 * the methodology page. Ends with 1 when a goal is missed, and says which.
 */
export function main(): void {
  const record = simulationRecord()
  keep(FILE, record)
  print(['Row intervals', ...record.results.map(tableLine)])
  const errors = errorRecord()
  keep(ERRORS_FILE, errors)
  print(['', 'Boards of eight rows', ...errors.boards.map(boardLine)])
  print(['', 'Power at the planner’s detectable difference', ...errors.plans.map(planLine)])
  print(['', 'Looks at two equal rows', ...errors.looks.map(lookLine)])
  const missed = missedGoals(errors)
  print(['', `stored in ${FILE} and ${ERRORS_FILE}`])
  print(missed.map((sentence) => `MISSED: ${sentence}`))
  if (missed.length > 0) process.exitCode = 1
}

function keep(file: string, record: unknown): void {
  writeFileSync(join(process.cwd(), file), `${JSON.stringify(record, null, 2)}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

function tableLine(result: SimulationRecord['results'][number]): string {
  const covers = `${percent(result.clusteredCoverage)} (pooled ${percent(result.pooledCoverage)})`
  const parts = `${percent(result.clusteredSeparation)} (pooled ${percent(result.pooledSeparation)})`
  return `${sizeOf(result)} interval covers ${covers} · equal rows separated ${parts}`
}

function boardLine(result: ErrorRecord['boards'][number]): string {
  const { name, setsHold, anyFalse, anyFalseByFdr, found } = result
  const errors = `some verdict false ${percent(anyFalse)} (Benjamini–Hochberg ${percent(anyFalseByFdr)})`
  return `${name.padEnd(26)} ${sizeOf(result)} rank sets hold ${percent(setsHold)} · ${errors} · found ${percent(found)}`
}

function planLine(result: ErrorRecord['plans'][number]): string {
  const { poolRows, detectable, power } = result
  return `${sizeOf(result)} pool of ${poolRows} · detectable ${percent(detectable)} · power ${percent(power)}`
}

function lookLine(result: ErrorRecord['looks'][number]): string {
  const { kind, looks, plain, judged } = result
  return `${sizeOf(result)} ${kind.padEnd(9)} ${looks} looks · plain test ${percent(plain)} · as judged ${percent(judged)}`
}

function sizeOf({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`.padEnd(8)
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`.padStart(7)
}
