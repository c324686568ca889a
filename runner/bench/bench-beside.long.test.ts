import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  checkout,
  lines,
  SLUGS,
  stub,
  withTsBenchCheckout,
} from '#lib/testing/cases/ts-bench-checkout.ts'

withTsBenchCheckout()

it('judges the same exercises with both, in turns, and leaves the checkout as it was', async () => {
  const parts = await lines(checkout, SLUGS.join(','))
  expect(parts[0]).toContain('ts-bench 1.1.0')
  expect(parts[0]).toContain(process.version)
  const row = /^(one|two|all) +([\d.]+ s +){4}[\d.]+ x +[\d.]+ x$/
  expect(parts.slice(2).map((line) => row.exec(line)?.[1] ?? line)).toEqual([
    'one',
    'two',
    'broken is not compared: ts-bench does not pass its reference on this machine',
    'all',
  ])
  const args = readFileSync(join(checkout, 'asked.txt'), 'utf8').trim().split('\n')
  expect(args).toEqual(['one', 'two', 'broken', 'one', 'two'])
  expect(readFileSync(join(checkout, stub('one')), 'utf8')).toContain('throw new Error')
})
