import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWrong } from './read-solutions.ts'

const REFERENCE = 'export function sum(a: number, b: number) {\n  return a + b\n}\n'
const PATCH = `--- a/.meta/reference.ts
+++ b/.meta/reference.ts
@@ -1,3 +1,3 @@
 export function sum(a: number, b: number) {
-  return a + b
+  return a - b
 }
`

let task: string

beforeEach(() => {
  task = join(mkdtempSync(join(tmpdir(), 'proofboard-test-')), 'sum')
  mkdirSync(join(task, '.meta', 'wrong'), { recursive: true })
})
afterEach(() => rmSync(join(task, '..'), { recursive: true, force: true }))

const plant = (name: string, text: string) => writeFileSync(join(task, '.meta/wrong', name), text)
const read = () => readWrong(task, ['sum.ts'], [{ path: '.meta/reference.ts', text: REFERENCE }])

describe('wrong solutions', () => {
  it('are patches of the reference or whole files, in the order of their names', () => {
    plant('subtracts.patch', PATCH)
    plant('constant.ts', 'export const sum = () => 3\n')
    expect(read()).toEqual([
      { name: 'constant', files: [{ path: 'sum.ts', text: 'export const sum = () => 3\n' }] },
      { name: 'subtracts', files: [{ path: 'sum.ts', text: REFERENCE.replace('+', '-') }] },
    ])
  })

  it.each([
    ['another reference', PATCH.replace('a + b', 'a * b'), 'does not fit .meta/reference.ts'],
    [
      'another file',
      PATCH.replaceAll('reference', 'other'),
      '.meta/other.ts, which does not exist',
    ],
    [
      'a new file',
      '--- /dev/null\n+++ b/sum.ts\n@@ -0,0 +1 @@\n+export {}\n',
      'may only change .meta/reference.ts, not sum.ts',
    ],
    ['no file', '', 'changes no file'],
  ])('are refused by name if a patch is of %s', (_, text, words) => {
    plant('broken.patch', text)
    expect(read).toThrow(`sum/.meta/wrong/broken.patch: `)
    expect(read).toThrow(words)
  })
})
