import { describe, expect, it } from 'vitest'
import { sampleReport } from '../agents/testing/sample-report.ts'
import { nop } from '../controls/nop.ts'
import { DONE, type SubjectEnding, type SubjectTurn } from '../controls/subject-driver.ts'
import { runSubject } from './run-subject.ts'

const TROUBLE = sampleReport({ providerTrouble: { kind: 'hang', count: 2 } })
const SPENT = sampleReport({ exhausted: { budget: 'tokens', reason: 'all spent' } })

/** How an attempt is told whose subject ended so. */
async function tell(ending: Partial<SubjectEnding>): Promise<string> {
  const driver = { ...nop, act: async () => ({ ...DONE, ...ending }) }
  const settings = { timeoutMs: 1000, diskQuotaBytes: 2000 }
  const { outcome } = await runSubject(driver, { settings } as SubjectTurn)
  if (outcome === null) return 'to be judged'
  const detail = 'budget' in outcome ? outcome.budget : 'fault' in outcome ? outcome.fault : ''
  return `${outcome.status} ${detail}`.trim()
}

describe('the outcome that the subject phase names', () => {
  it.each<[string, Partial<SubjectEnding>, string]>([
    ['a quiet end', {}, 'to be judged'],
    ['an exit code', { exitCode: 3 }, 'to be judged'],
    ['a quiet end that was metered', { report: sampleReport() }, 'to be judged'],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, 'subject-crashed'],
    ['the time limit', { cause: 'timeout' }, 'out-of-budget time'],
    [
      'the time limit, waiting for a provider',
      { cause: 'timeout', report: TROUBLE },
      'void provider',
    ],
    ['a budget, then the time limit', { cause: 'timeout', report: SPENT }, 'out-of-budget tokens'],
    ['a budget, then a signal', { signal: 'SIGTERM', report: SPENT }, 'out-of-budget tokens'],
    ['a full disk in trouble', { cause: 'disk', report: TROUBLE }, 'out-of-budget disk'],
    ['too many processes', { cause: 'processes', report: SPENT }, 'out-of-budget processes'],
    ['a stop in trouble', { cause: 'cancelled', report: TROUBLE }, 'cancelled'],
    ['a missing shell', { cause: 'spawn-failed', report: SPENT }, 'void infrastructure'],
    ['processes that stay', { clean: false, report: SPENT }, 'void infrastructure'],
  ])('%s', async (_, ending, told) => {
    expect(await tell(ending)).toBe(told)
  })
})
