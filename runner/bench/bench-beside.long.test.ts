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
  const said = await lines(checkout, SLUGS.join(','))
  expect(said[0]).toContain('ts-bench 1.1.0')
  expect(said[0]).toContain(process.version)
  const row = /^(one|two|all) +([\d.]+ s +){4}[\d.]+ x +[\d.]+ x$/
  expect(said.slice(2).map((line) => row.exec(line)?.[1] ?? line)).toEqual([
    'one',
    'two',
    'broken is not compared: ts-bench does not pass its reference on this machine',
    'all',
  ])
  const asked = readFileSync(join(checkout, 'asked.txt'), 'utf8').trim().split('\n')
  expect(asked).toEqual(['one', 'two', 'broken', 'one', 'two'])
  expect(readFileSync(join(checkout, stub('one')), 'utf8')).toContain('throw new Error')
})
