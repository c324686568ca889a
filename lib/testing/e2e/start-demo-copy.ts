import { plantDemo } from '../factories/demo/plant-demo.ts'
import { type Copy, startCopy } from './start-copy.ts'

/** Starts a separate Proofboard with only the demo suites. */
export function startDemoCopy(env: Record<string, string> = {}): Promise<Copy> {
  return startCopy({ PROOFBOARD_FIRST_RUNS: '0', ...env }, (dataDir) =>
    plantDemo(dataDir, { withBrowser: true }),
  )
}
