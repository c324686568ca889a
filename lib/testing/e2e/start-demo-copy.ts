import { plantDemo } from '../factories/demo/plant-demo.ts'
import { type Copy, startCopy } from './start-copy.ts'

/** A separate Proofboard with only the made-up suites. */
export function startDemoCopy(env: Record<string, string> = {}): Promise<Copy> {
  return startCopy({ PROOFBOARD_FIRST_RUNS: '0', ...env }, (dataDir) =>
    plantDemo(dataDir, { withBrowser: true }),
  )
}
