import { describe } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import { testIsolation } from '#lib/testing/chaos/test-isolation.ts'
import { bubblewrap } from './bubblewrap.ts'

const missing = await bubblewrap.available()
if (missing !== null) process.stderr.write(`SKIPPED, bubblewrap: ${missing}\n`)

describe.skipIf(missing !== null)(
  missing === null ? 'bubblewrap' : `bubblewrap: SKIPPED, ${missing}`,
  () => {
    testIsolation(() => bubblewrap)
    describeRuns('bubblewrap')
  },
)
