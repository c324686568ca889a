import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type SimulationRecord,
  simulationRecord,
} from '#lib/domain/statistics/simulation-record.ts'

const FILE = 'lib/domain/methodology/simulation.json'

/** `npm run simulate`: computes what our intervals hold, prints the table and keeps it for the methodology page. */
export function main(): void {
  const record = simulationRecord()
  writeFileSync(join(process.cwd(), FILE), `${JSON.stringify(record, null, 2)}\n`)
  process.stdout.write(`${record.results.map(tableLine).join('')}kept in ${FILE}\n`)
}

function tableLine(result: SimulationRecord['results'][number]): string {
  const size = `${result.tasks} × ${result.repetitions}`.padEnd(10)
  const covers = `${percent(result.clusteredCoverage)} (pooled ${percent(result.pooledCoverage)})`
  const parts = `${percent(result.clusteredSeparation)} (pooled ${percent(result.pooledSeparation)})`
  return `${size} interval covers ${covers} · equal rows separated ${parts}\n`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(7)
}
