import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseRegradeLines, REGRADES_FILE, type RegradeLine } from '../domain/record/index.ts'

const RUN_ID = /^run_[0-9a-z]{1,60}$/
const MOST_BYTES = 20_000_000

/** The regrades of one run, oldest first, out of its folder; none where the folder or the file is not there. */
export function listRegrades(runsDir: string, runId: string): RegradeLine[] {
  if (sizeOf(runsDir, runId) === 0) return []
  return parseRegradeLines(readFileSync(regradesFile(runsDir, runId), 'utf8'))
}

/** The regrades of these runs by run id; a run without one is left out. */
export function listRegradesOfRuns(
  runsDir: string,
  runs: readonly { runId: string }[],
): Map<string, RegradeLine[]> {
  const found = runs.map(({ runId }) => [runId, listRegrades(runsDir, runId)] as const)
  return new Map(found.filter(([, lines]) => lines.length > 0))
}

/** How large the regrades of each run are, by run id: the size grows with every new one. Runs without one are left out. */
export function measureRegrades(runsDir: string): Map<string, number> {
  const runIds = existsSync(runsDir) ? readdirSync(runsDir) : []
  const sizes = runIds.map((runId) => [runId, sizeOf(runsDir, runId)] as const)
  return new Map(sizes.filter(([, size]) => size > 0))
}

/** 0 = there is no file of regrades, or one that is too large to read. */
function sizeOf(runsDir: string, runId: string): number {
  if (!RUN_ID.test(runId)) return 0
  const found = statSync(regradesFile(runsDir, runId), { throwIfNoEntry: false })
  return found?.isFile() && found.size <= MOST_BYTES ? found.size : 0
}

function regradesFile(runsDir: string, runId: string): string {
  return join(runsDir, runId, REGRADES_FILE)
}
