import { plantDemo } from '../factories/demo/plant-demo.ts'
import { type Copy, startCopy } from './start-copy.ts'

/** A Proofboard of its own that holds the made-up suites and nothing else. */
export function startDemoCopy(env: Record<string, string> = {}): Promise<Copy> {
  return startCopy({ PROOFBOARD_FIRST_RUNS: '0', ...env }, (dataDir) =>
    plantDemo(dataDir, { withBrowser: true }),
  )
}
