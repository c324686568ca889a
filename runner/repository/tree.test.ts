import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readTree } from './tree.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-tree-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('reads absolute links to its own files as relative ones, as the programs that made them saw it', async () => {
  mkdirSync(join(root, 'lib/dist'), { recursive: true })
  writeFileSync(join(root, 'lib/a.js'), '')
  symlinkSync('/workspace/lib/a.js', join(root, 'lib/dist/a.js'))
  symlinkSync('/workspace', join(root, 'all'))
  const entries = await readTree(root, undefined, '/workspace')
  expect(entries.filter(({ kind }) => kind === 'link')).toEqual([
    { kind: 'link', path: 'all', target: '.' },
    { kind: 'link', path: 'lib/dist/a.js', target: '../a.js' },
  ])
  await expect(readTree(root)).rejects.toThrow(/is a link that leads out of it/)
})

it('refuses absolute links to other places', async () => {
  symlinkSync('/workspaces/other', join(root, 'other'))
  await expect(readTree(root, undefined, '/workspace')).rejects.toThrow(
    'other is a link that leads out of it',
  )
})
