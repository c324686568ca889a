import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RunnerError } from '../../runner-error.ts'
import { askNode, nodeProgram } from './node-program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-node-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that prints the same text for any arguments. */
function program(name: string, says: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`)
  chmodSync(path, 0o755)
  return path
}

it('is the node that runs us, and a node in PATH says the same of itself', () => {
  expect(nodeProgram()).toMatchObject({ path: process.execPath, version: process.version })
  expect(askNode(process.execPath)).toEqual(nodeProgram())
})

it.each([
  ['none', () => null, /^no node was found\. .*put one into PATH$/],
  [
    'one that is too old',
    () => program('old', '{"version":"v20.18.3","isNamed":false}'),
    /too old/,
  ],
  ['something else', () => program('other', 'hello'), /does not behave like node/],
])('refuses %s in one sentence', (_, path, sentence) => {
  const ask = () => askNode(path())
  expect(ask).toThrow(RunnerError)
  expect(ask).toThrow(sentence)
})
