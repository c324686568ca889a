import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MutatedSuite, REFERENCE } from '#lib/testing/cases/mutated-suite.ts'

let suite: MutatedSuite
beforeEach(() => {
  suite = new MutatedSuite()
})
afterEach(() => suite.remove())

it('writes nothing unless asked to, and refuses what cannot be measured in one line', {
  tags: 'night',
}, async () => {
  const told = await suite.proofboard('suite', 'mutate', suite.folder, '--tasks', 'adult')
  expect(told.stdout).toMatch(
    /^mine: \d+ mutants, \d+ compile, \d+ caught by visible tests, 6 survive/,
  )
  expect(existsSync(suite.keptFile)).toBe(false)

  suite.plant('adult/.meta/reference.ts', REFERENCE.replace('>= 18', '>= 80'))
  const unsolved = await suite.proofboard('suite', 'mutate', suite.folder, '--write')
  expect(unsolved.stderr.trim()).toBe('task adult cannot be mutated: its reference is not solved')
  const browser = await suite.proofboard('suite', 'mutate', 'browser')
  expect(browser.stderr.trim()).toBe(
    'browser is a browser suite: only references of exercises can be mutated',
  )
  expect([unsolved.code, browser.code]).toEqual([2, 2])
  expect(existsSync(suite.keptFile)).toBe(false)
})
