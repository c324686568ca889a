import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pollUntil, startProofboard } from '../../factories/proofboard-command.ts'
import { SUITE } from './real-attempts.ts'

const GONE = 'run_localgone01'
/** Run again completely after the folder of another was deleted. */
export const WHOLE = 'run_localwhole1'
/** Stopped by Ctrl-C, and continued. */
export const STOPPED = 'run_localstop01'

function start(dataDir: string, runId: string, repetitions: number) {
  const asks = ['run', '--suite', SUITE, '--subject', 'reference', '--repetitions']
  return startProofboard(dataDir, [...asks, String(repetitions), '--run-id', runId])
}

/** Returns whether two episodes of a run are sealed and another attempt is under way. */
function isUnderWay(dataDir: string, runId: string): boolean {
  const path = join(dataDir, 'runs', runId, 'journal.ndjson')
  const journal = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [started = 0, sealed = 0] = ['started', 'sealed'].map(
    (end) => journal.split(`"event":"attempt-${end}"`).length - 1,
  )
  return sealed >= 2 && started > sealed
}

/** Makes runs from the command line in a data folder before its server starts. */
export async function playLocalRuns(dataDir: string): Promise<void> {
  const gone = start(dataDir, GONE, 5)
  await pollUntil(() => isUnderWay(dataDir, GONE))
  gone.child.kill('SIGKILL')
  await gone.ended
  rmSync(join(dataDir, 'runs', GONE), { recursive: true, force: true })
  await mustEnd(start(dataDir, WHOLE, 5))

  const stopped = start(dataDir, STOPPED, 6)
  await pollUntil(() => isUnderWay(dataDir, STOPPED))
  stopped.child.kill('SIGINT')
  await stopped.ended
  const plan = join(dataDir, 'runs', STOPPED, 'plan.json')
  const out = join(dataDir, 'runs', STOPPED)
  await mustEnd(
    startProofboard(dataDir, ['run', '--plan', plan, '--run-id', STOPPED, '--out', out]),
  )
}

async function mustEnd({ ended }: ReturnType<typeof start>): Promise<void> {
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(`a local run ended with ${code}: ${stderr.slice(-2000)}`)
}
