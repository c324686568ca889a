import { describe, expect, it } from 'vitest'
import { parseReport } from './run-tests-of.ts'

const line = (kind: string, fields: object = {}, nonce = 'n') =>
  `${JSON.stringify({ nonce, kind, ...fields })}\n`
const passed = line('test', { name: 't', status: 'passed', durationMs: 1 })
const start = line('start')
const end = line('end', { executed: 1, failed: 0, probeMax: null })
const close = line('close')
const entry = (round: number, text: string) => line('entry', { round, text })
const codes = (text: string) => parseReport(text, 'n').findings.map((one) => one.code)

describe('parseReport', () => {
  it('takes a complete report', () => {
    const text = start + passed + end + entry(0, 'a: 1') + entry(1, 'b: 2') + close
    expect(parseReport(text, 'n')).toEqual({
      results: [{ name: 't', status: 'passed', durationMs: 1 }],
      findings: [],
      loadError: null,
      probeMax: null,
      started: true,
      transcripts: [['a: 1'], ['b: 2']],
      complete: true,
      closed: true,
    })
  })

  it('is not complete without its end, and an honest crash is not a finding', () => {
    expect(parseReport(passed, 'n')).toMatchObject({ complete: false, findings: [] })
    expect(parseReport('', 'n')).toMatchObject({ started: false, complete: false, findings: [] })
  })

  it.each([
    ['a wrong nonce', line('test', { name: 't', status: 'passed' }, 'x') + end],
    ['no nonce', '{"kind":"end","executed":0}\n'],
    ['no JSON', `${passed}hello\n${end}`],
    ['a record after the end', passed + end + passed],
    ['a second end', passed + end + end],
    ['a record after the close', passed + end + close + entry(0, 'a: 1')],
    ['fewer records than the end says', end],
    ['more records than the end says', passed + passed + end],
    ['an unknown record', line('hello') + passed + end],
  ])('finds a forgery: %s', (_name, text) => {
    expect(codes(text)).toEqual(['report-forged'])
  })

  it('counts a status it does not know as failed', () => {
    const { results } = parseReport(line('test', { name: 't', status: 'great' }), 'n')
    expect(results[0]?.status).toBe('failed')
  })
})
