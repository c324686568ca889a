import { describe } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import { describeWalls } from '#lib/testing/chaos/isolation-walls.ts'
import { bubblewrap } from './bubblewrap.ts'

const missing = await bubblewrap.available()
if (missing !== null) process.stderr.write(`SKIPPED, bubblewrap: ${missing}\n`)

describe.skipIf(missing !== null)(
  missing === null ? 'bubblewrap' : `bubblewrap: SKIPPED, ${missing}`,
  () => {
    describeWalls(() => bubblewrap)
    describeRuns('bubblewrap', () => ({ env: {}, containers: () => [] }))
  },
)
