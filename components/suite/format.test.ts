import { describe, expect, it } from 'vitest'
import type { TaskMutation } from '#lib/domain/tasks/index.ts'
import {
  formatCaught,
  formatMutationChecks,
  formatSurviving,
  formatTotals,
  mutationOf,
} from './format.ts'

const measured: TaskMutation = {
  mutants: 1300,
  compiled: 1200,
  caughtByVisible: 1080,
  caughtByHeldOut: null,
  surviving: 120,
  wrong: 6,
  wrongCaught: 6,
  isStale: false,
}

describe('test quality in words', () => {
  it('shows the share of compiled mutants that survive', () => {
    expect(formatSurviving(measured)).toBe('10.0\u00a0%')
    expect(formatSurviving({ ...measured, isStale: true })).toBe('10.0\u00a0% (stale)')
  })

  it('shows a dash, never zero, for unmeasured values', () => {
    expect(formatSurviving(null)).toBe('–')
    expect(formatSurviving({ ...measured, compiled: 0, surviving: 0 })).toBe('–')
    expect(formatCaught(0, 0)).toBe('–')
  })

  it('names the checks', () => {
    expect(formatMutationChecks(measured)).toBe('visible tests only')
    expect(formatMutationChecks({ ...measured, caughtByHeldOut: 0 })).toBe(
      'visible tests and held-out transcript',
    )
  })

  it('summarises a suite', () => {
    expect(formatTotals(measured)).toBe(
      'The tests catch 1,080 of 1,200 mutants (10.0\u00a0% survive) and 6 of 6 wrong solutions.',
    )
  })

  it('returns null for a workflow and for an unmeasured task', () => {
    expect(mutationOf({ kind: 'browser' } as never)).toBeNull()
    expect(mutationOf({ taskId: 'a' } as never)).toBeNull()
    expect(mutationOf({ taskId: 'a', mutation: measured } as never)).toBe(measured)
  })
})
