import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { closeAnswers } from './close-answers.ts'

let root: string
const before = process.env.PROOFBOARD_DATA_DIR
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  process.env.PROOFBOARD_DATA_DIR = join(root, 'data')
})
afterEach(() => {
  if (before === undefined) delete process.env.PROOFBOARD_DATA_DIR
  else process.env.PROOFBOARD_DATA_DIR = before
  rmSync(root, { recursive: true, force: true })
})

it('closes every folder that holds answers to other users, once, and nothing else', async () => {
  const clone = join(root, 'clone')
  new GitHistory(clone).commit('one', { 'exercises/a/reference.ts': '42', 'runner/b.ts': '' })
  const [data, suite] = [join(root, 'data'), join(root, 'suite')]
  for (const path of [data, suite]) mkdirSync(path)
  const answers = [join(clone, 'exercises'), join(clone, '.git'), data, suite]
  const others = [root, clone, join(clone, 'runner')]
  for (const path of [...answers, ...others]) chmodSync(path, 0o755)
  expect(await closeAnswers(suite, clone)).toEqual(answers)
  const modes = (paths: readonly string[]) => paths.map((path) => statSync(path).mode & 0o777)
  expect(modes(answers)).toEqual(answers.map(() => 0o700))
  expect(modes(others)).toEqual(others.map(() => 0o755))
  expect(await closeAnswers(suite, clone)).toEqual([])
})
