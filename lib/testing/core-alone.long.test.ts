// @module-tag night
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestClone } from './chaos/test-clone.ts'

const clone = createTestClone()
afterAll(clone.remove)

const EXTRAS = [
  'audit',
  'change',
  'github',
  'harbor',
  'skill',
  'kinds/harbor',
  'mcp',
  'suites/mine',
  'suites/mutate',
]
/** The lists of the extras, emptied. */
const LISTS = {
  'runner/cli/extra-commands.ts':
    'export const EXTRA_COMMANDS = []\nexport const EXTRA_SUITE_COMMANDS = []\nexport const EXTRA_IMPORT_COMMANDS = []\n',
  'runner/kinds/extra-kinds.ts': 'export const EXTRA_KINDS = []\n',
}

it('plans, runs, seals and judges without the folders of the extras', async () => {
  for (const name of EXTRAS)
    rmSync(join(clone.root, 'runner', name), { recursive: true, force: true })
  rmSync(join(clone.root, 'lib', 'domain', 'change'), { recursive: true, force: true })
  for (const [path, source] of Object.entries(LISTS)) writeFileSync(join(clone.root, path), source)
  const one = ['--suite', 'typescript', '--first', '1', '--repetitions', '1', '--json']
  const run = async (...subject: string[]) => {
    const { stdout, stderr } = await clone.run(['run', ...subject, ...one])
    expect(stdout, stderr).not.toBe('')
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }
  expect(await run('--subject', 'reference')).toMatchObject({ sealed: 1, solved: 1 })
  const idle = ['--name', 'idle', '--command', 'true', '--isolation', 'local']
  expect(await run(...idle)).toMatchObject({ sealed: 1, solved: 0 })
  expect((await clone.run(['audit', 'typescript'])).stderr).toContain('unknown command')
})
