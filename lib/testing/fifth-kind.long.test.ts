import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestClone } from './chaos/test-clone.ts'

const clone = createTestClone()
afterAll(clone.remove)

/** The lists that know every kind, each with the line that a new kind adds. */
const LISTS = [
  [
    'runner/kinds/kinds.ts',
    'import type { Kind }',
    "import { RIDDLE } from './riddle/riddle.ts'\n",
  ],
  ['runner/kinds/kinds.ts', '...EXTRA_KINDS]', 'RIDDLE, '],
  [
    'lib/domain/tasks/kind-traits.ts',
    '  reported: ',
    "  riddle: { subjects: AGENTS, runsBrowser: false, limits: 'short' },\n",
  ],
  ['lib/domain/tasks/task.ts', 'import { z }', "import { RIDDLE } from './riddle-task.ts'\n"],
  ['lib/domain/tasks/task.ts', '  reported: ', '  riddle: RIDDLE,\n'],
] as const

it('a fifth kind is a folder, a schema and a line in each list: its episodes are sealed', async () => {
  cpSync('lib/testing/fixtures/fifth-kind', clone.root, { recursive: true })
  for (const [path, before, line] of LISTS) {
    const file = join(clone.root, path)
    const source = readFileSync(file, 'utf8')
    expect(source.split(before)).toHaveLength(2)
    writeFileSync(file, source.replace(before, `${line}${before}`))
  }
  const shown = await clone.run(['suite', 'show', 'riddles'])
  expect(shown.stdout).toContain('What is 20 + 22?')
  const solved = async (subject: string) => {
    const { stdout, stderr } = await clone.run([
      ...['run', '--suite', 'riddles', '--subject', subject, '--repetitions', '1', '--json'],
    ])
    expect(stdout, stderr).not.toBe('')
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }
  expect(await solved('reference')).toMatchObject({ sealed: 1, solved: 1 })
  expect(await solved('nop')).toMatchObject({ sealed: 1, solved: 0 })
})
