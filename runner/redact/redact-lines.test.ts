import { expect, it } from 'vitest'
import { secretFinder } from './find-secrets.ts'
import { redactLines } from './redact-lines.ts'

const KEY = 'own-key-of-this-run-0123456789'
const find = secretFinder([KEY, 'short-key'])
const read = (values: readonly unknown[]): unknown[] =>
  redactLines(values, find)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

it('takes secrets out of every text, also of a name and an error', () => {
  const value = { step: KEY, list: [{ error: `no such key: ${KEY}` }], count: 3, none: null }
  expect(read([value])).toEqual([
    {
      step: '[redacted:run-key]',
      list: [{ error: 'no such key: [redacted:run-key]' }],
      count: 3,
      none: null,
    },
  ])
})

it('loses no other line to a private key that has no end', () => {
  const begin = '-----BEGIN RSA PRIVATE KEY-----'
  expect(read([{ step: begin }, { step: 'b' }])).toEqual([
    { step: '[redacted:private-key]' },
    { step: 'b' },
  ])
})

it('makes no text longer than its schema takes', () => {
  const [{ step }] = read([{ step: `${'x '.repeat(95)}short-key` }]) as [{ step: string }]
  expect(step.length).toBeLessThanOrEqual(200)
  expect(step).not.toContain('short-key')
})
