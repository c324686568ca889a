import { describe } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import { testIsolation } from '#lib/testing/chaos/test-isolation.ts'
import { bubblewrap } from './bubblewrap.ts'

describe('bubblewrap', { tags: 'bubblewrap' }, () => {
  testIsolation(() => bubblewrap)
  describeRuns('bubblewrap')
})
