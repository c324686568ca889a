import { expect, it } from 'vitest'
import { parseDiff } from './code-view.tsx'
import { sideBySide, splitDiff } from './diff-panel.tsx'

const RULER = '==================================================================='

it('splits a diff by file and counts the lines', () => {
  const files = splitDiff(
    `${RULER}\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,1 +1,2 @@\n-old\n+new\n+er\n${RULER}\n--- /dev/null\n+++ b/y.ts\n@@ -0,0 +1,1 @@\n+y\nOnly named: z.png is binary (9 bytes)\n--- a/big.ts\n+++ b/big.ts\n(rewritten)\n`,
  )
  expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['src/x.ts', 2, 1],
    ['y.ts', 1, 0],
    ['Only named: z.png is binary (9 bytes)', 0, 0],
    ['big.ts', 0, 0],
  ])
  expect(files[3]?.lines.map(({ text }) => text)).toEqual(['(rewritten)'])
})

it('names a removed file by what it was, and survives text that is not a diff', () => {
  expect(splitDiff('--- a/gone.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n')[0]?.path).toBe('gone.ts')
  expect(splitDiff('')).toEqual([])
  expect(splitDiff('@@ -1 +1 @@\n-a\n+b\n')).toMatchObject([{ path: 'changes', added: 1 }])
})

it('puts removed lines beside added ones', () => {
  const diff = '@@ -1,4 +1,3 @@\n same\n-one\n-two\n+2\n end\n@@ -9,1 +8,2 @@\n tail\n+more\n'
  const rows = sideBySide(parseDiff(diff))
  expect(
    rows.map((row) => row && [row.left?.text ?? null, row.right?.text ?? null, row.left?.number]),
  ).toEqual([
    ['same', 'same', 1],
    ['one', '2', 2],
    ['two', null, 3],
    ['end', 'end', 4],
    null,
    ['tail', 'tail', 9],
    [null, 'more', undefined],
  ])
})
