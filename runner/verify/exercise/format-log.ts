import { countOf } from '#lib/domain/text/index.ts'
import type { VerifierReport } from './verifier-types.ts'

const LIMIT = 256 * 1024
const CUT = '\n[log cut]\n'

/** Formats the verifier's readable log: diagnostics, one line for each test, findings, captured output. */
export function formatLog(report: Omit<VerifierReport, 'log'>, output: string): string {
  const lines = [...typeLines(report), ...testLines(report), ...secondLines(report)]
  for (const { code, detail } of report.findings) lines.push(`finding ${code}: ${detail}`)
  if (output !== '') lines.push('', 'output of the tests:', output.trimEnd())
  lines.push('', `verdict: ${report.verdict}`, '')
  const text = lines.join('\n')
  return Buffer.byteLength(text) <= LIMIT ? text : cut(text)
}

function typeLines({ types }: Omit<VerifierReport, 'log'>): string[] {
  const head = `types: ${types.ok ? 'ok' : types.timedOut ? 'timed out' : 'failed'} (${Math.round(types.durationMs)} ms)`
  return [
    head,
    ...types.diagnostics.map(
      ({ file, line, column, code, message }) =>
        `  ${file}(${line},${column}): TS${code}: ${message}`,
    ),
  ]
}

function testLines({ tests }: Omit<VerifierReport, 'log'>): string[] {
  if (!tests.ran) return ['tests: not part of this task']
  const { passed, failed, skipped, missing, unexpected, loadError, timedOut, exitCode, signal } =
    tests
  const ending = signal ? `killed by ${signal}` : `exit ${exitCode}`
  const lines = [
    `tests: ${passed} passed, ${failed} failed, ${skipped} skipped (${Math.round(tests.durationMs)} ms, ${ending}${timedOut ? ', timed out' : ''})`,
  ]
  for (const { name, status, durationMs, message } of tests.results) {
    lines.push(`  ${status} ${name} (${durationMs.toFixed(1)} ms)`)
    if (message !== undefined) lines.push(message.replace(/^/gm, '    '))
  }
  if (loadError !== null)
    lines.push('  the test file could not be loaded:', loadError.replace(/^/gm, '    '))
  for (const name of missing) lines.push(`  missing ${name}`)
  for (const name of unexpected) lines.push(`  unexpected ${name}`)
  return lines
}

function secondLines({ heldOut, altered }: Omit<VerifierReport, 'log'>): string[] {
  const lines: string[] = []
  if (altered) {
    lines.push(
      `second run: ${countOf(altered.altered, 'expectation')} altered, ${countOf(altered.mustFail, 'test')} must fail`,
    )
    for (const name of altered.passed) lines.push(`  passed although altered: ${name}`)
    for (const name of altered.unrepeated) lines.push(`  did not pass again: ${name}`)
  }
  if (heldOut) {
    const { agreed, observations, seeds, difference } = heldOut
    lines.push(
      `held-out transcript: ${agreed ? 'agrees' : 'differs'} (${countOf(observations, 'observation')}, seeds ${seeds.join(', ')})`,
    )
    if (difference)
      lines.push(`  reference: ${difference.expected}`, `  solution:  ${difference.observed}`)
  }
  return lines
}

function cut(text: string): string {
  const room = LIMIT - Buffer.byteLength(CUT)
  // Cutting bytes may split a character: undecodable bytes are dropped.
  return `${Buffer.from(text)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD$/, '')}${CUT}`.slice(0, LIMIT)
}
