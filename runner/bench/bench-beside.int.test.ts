import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkout, lines, root, withTsBenchCheckout } from '#lib/testing/cases/ts-bench-checkout.ts'

withTsBenchCheckout()

it('says in a sentence why nothing is measured', async () => {
  expect(await lines(root, 'one')).toEqual([
    `compared with ts-bench: skipped, ${root} is not a checkout of ts-bench`,
  ])
  expect((await lines(checkout, 'nine'))[0]).toContain('its track has no exercise nine')
  const empty = join(root, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"name":"ts-bench"}')
  expect((await lines(empty, 'one'))[0]).toContain('git submodule update --init')
})
