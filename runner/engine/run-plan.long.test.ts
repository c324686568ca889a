import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { endOf, SUBJECTS } from '#lib/testing/cases/subjects-that-end.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it.each(SUBJECTS.slice(2))('a subject that %s gives an outcome', async (_, command, ...ends) => {
  expect(await endOf(root, command)).toEqual({ ends, left: [] })
})
