import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countNoProgress, NO_PROGRESS, type ProgressStep, type ToolCall } from './no-progress.ts'

const call = (fingerprint: string | null, failed: boolean | null): ToolCall => ({
  fingerprint,
  failed,
})
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
/** Builds steps of one call each, in a workspace that always changes. */
const steps = (calls: readonly ToolCall[]): ProgressStep[] =>
  calls.map((one) => ({ calls: [one], workspaceChanged: true }))
const idle = (changes: readonly (boolean | null)[]): ProgressStep[] =>
  changes.map((workspaceChanged) => ({ calls: [], workspaceChanged }))
const counts = (of: readonly ProgressStep[]) =>
  Object.fromEntries(countNoProgress(of).map(({ signal, count }) => [signal, count]))

const { failingCalls, identicalCalls, unchangedSteps } = NO_PROGRESS
const arbitraryStep: fc.Arbitrary<ProgressStep> = fc.record({
  calls: fc.array(
    fc.record({
      fingerprint: fc.constantFrom('a', 'b', null),
      failed: fc.constantFrom(true, false, null),
    }),
    { maxLength: 4 },
  ),
  workspaceChanged: fc.constantFrom(true, false, false, null),
})
const arbitrarySteps = fc.array(arbitraryStep, { maxLength: 40 })

describe('signals of no progress', () => {
  it('are none where nothing happened', () => {
    expect(countNoProgress([])).toEqual([])
    expect(countNoProgress(idle([true]))).toEqual([])
  })

  it.each([
    ['failing-calls', failingCalls, (n: number) => steps(times(n, (i) => call(`${i}`, true)))],
    ['identical-calls', identicalCalls, (n: number) => steps(times(n, () => call('a', false)))],
    ['unchanged-workspace', unchangedSteps, (n: number) => idle(times(n, () => false))],
  ] as const)('%s: from %s on, and once however long', (signal, length, streak) => {
    expect(counts(streak(length - 1))).toEqual({})
    expect(counts(streak(length))).toEqual({ [signal]: 1 })
    fc.assert(
      fc.property(fc.integer({ min: length, max: 80 }), (longer) => {
        expect(counts(streak(longer))).toEqual({ [signal]: 1 })
      }),
    )
  })

  it.each([
    ['failing-calls', steps(times(4, () => call('a', true))), steps([call('a', false)])],
    ['identical-calls', steps(times(3, () => call('a', false))), steps([call('a', true)])],
    ['identical-calls', steps(times(3, () => call('a', false))), steps([call('b', null)])],
    ['unchanged-workspace', idle(times(unchangedSteps, () => false)), idle([true])],
  ] as const)('%s: a streak that was broken counts anew', (signal, streak, broken) => {
    expect(counts([...streak, ...broken, ...streak])).toEqual({ [signal]: 2 })
    expect(counts([...streak, ...streak])).toEqual({ [signal]: 1 })
  })

  it('does not take what is not known for a failure, a success or a standstill', () => {
    expect(countNoProgress(steps(times(50, () => call('a', null))))).toEqual([])
    expect(countNoProgress(steps(times(50, () => call(null, false))))).toEqual([])
    expect(countNoProgress(idle(times(50, () => null)))).toEqual([])
  })

  it('is not moved by what is not known, wherever it stands', () => {
    fc.assert(
      fc.property(arbitrarySteps, fc.nat(40), (all, place) => {
        const unknown: ProgressStep = { calls: [call(null, null)], workspaceChanged: null }
        expect(countNoProgress(all.toSpliced(place, 0, unknown))).toEqual(countNoProgress(all))
      }),
    )
  })

  it('counts calls alike however they are dealt out to steps', () => {
    fc.assert(
      fc.property(arbitrarySteps, (all) => {
        const calls = all.flatMap((step) => step.calls)
        const single = steps(calls)
        const together: ProgressStep[] = [{ calls, workspaceChanged: true }]
        expect(counts(single)).toEqual(counts(together))
      }),
    )
  })

  it('never falls when an attempt goes on, and rises by one a signal at most with one call', () => {
    fc.assert(
      fc.property(arbitrarySteps, arbitraryStep, (all, next) => {
        const more = { ...next, calls: next.calls.slice(0, 1) }
        const [before, after] = [counts(all), counts([...all, more])]
        for (const signal of ['failing-calls', 'identical-calls', 'unchanged-workspace']) {
          const rise = (after[signal] ?? 0) - (before[signal] ?? 0)
          expect([0, 1]).toContain(rise)
        }
      }),
    )
  })
})
