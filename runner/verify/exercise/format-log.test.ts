import { expect, it } from 'vitest'
import { decideTests } from './decide-tests.ts'
import { formatLog } from './format-log.ts'

const types = {
  ok: false,
  diagnostics: [{ file: 'a.ts', line: 2, column: 3, code: 2322, message: 'no' }],
  durationMs: 12.4,
  timedOut: false,
}
const { tests } = decideTests(
  { expectedTests: ['t'] },
  { kind: 'not-compiled', error: 'x\ny', durationMs: 1 },
)

it('prints types, tests, findings and output', () => {
  const findings = [{ code: 'exit-attempt', detail: 'process.exit() was called' }]
  const log = formatLog(
    { types, tests, heldOut: null, altered: null, findings, verdict: 'fail' },
    'hello\n',
  )
  for (const part of [
    'types: failed (12 ms)',
    'a.ts(2,3): TS2322: no',
    '    y',
    'missing t',
    'finding exit-attempt',
    'hello',
    'verdict: fail',
  ]) {
    expect(log).toContain(part)
  }
})

it('is never larger than 256 kB, whole characters only', () => {
  const log = formatLog(
    { types, tests, heldOut: null, altered: null, findings: [], verdict: 'fail' },
    'ä'.repeat(300_000),
  )
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(256 * 1024)
  expect(log).toContain('[log cut]')
  expect(log).not.toContain('\uFFFD')
})
