import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorRecord, missedGoals } from '#lib/domain/statistics/error-record.ts'
import {
  coverageRecord,
  missedCoverage,
  simulationRecord,
} from '#lib/domain/statistics/simulation-record.ts'
import { describeCoverage } from './describe-coverage.ts'
import { describeErrors } from './describe-errors.ts'

const FOLDER = 'lib/domain/methodology'

/**
 * `npm run simulate`: computes what our intervals, verdicts, plans and looks hold, prints the tables and keeps them for
 * the methodology page. Takes some minutes of one core. Ends with 1, after writing, when a goal is missed.
 */
export function main(): void {
  const started = Date.now()
  const coverage = { ...simulationRecord(), ...coverageRecord() }
  keep('simulation.json', coverage)
  print(describeCoverage(coverage))
  const errors = errorRecord()
  keep('simulation-errors.json', errors)
  print(describeErrors(errors))
  const missed = [...missedCoverage(coverage), ...missedGoals(errors)]
  print(['', `stored in ${FOLDER} after ${Math.round((Date.now() - started) / 1000)} s`])
  print(missed.map((sentence) => `MISSED: ${sentence}`))
  print([missed.length === 0 ? 'Every goal was met.' : `${missed.length} goals were missed.`])
  if (missed.length > 0) process.exitCode = 1
}

/** Lists of numbers stand on one line, as the formatter wants them. */
function keep(name: string, record: unknown): void {
  const oneLine = (list: string) =>
    list.replace(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']')
  const json = JSON.stringify(record, null, 2).replace(/\[[^{}":]*\]/g, oneLine)
  writeFileSync(join(process.cwd(), FOLDER, name), `${json}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
