import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, it } from 'vitest'
import { TaskFacts } from '#components/suite/task-facts.tsx'
import { listAllBoards } from '#lib/db/board-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { kindTraits } from '../domain/tasks/index.ts'
import { createTestClone } from './chaos/test-clone.ts'

const FOLDER = 'lib/testing/fixtures/fifth-kind'
const LIST = 'runner/kinds/kinds.ts'
/** Changes of the list of kinds by a new kind: its import, and its name. */
const LINES = [
  ['import type { Kind }', "import { RIDDLE } from './riddle/riddle.ts'\n"],
  ['...EXTRA_KINDS]', 'RIDDLE, '],
] as const

const clone = createTestClone()
// The database of the clone's board is made from these.
for (const name of ['prisma', 'prisma.config.ts'])
  cpSync(name, join(clone.root, name), { recursive: true })
afterAll(clone.remove, 300_000)

async function run(...subject: string[]) {
  const { stdout, stderr } = await clone.run([
    ...['run', '--suite', 'riddles', '--repetitions', '1', '--json', ...subject],
  ])
  expect(stdout, stderr).not.toBe('')
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

// Trial of 2026-11-29, by an engineer of the project: from ARCHITECTURE.md, six files were opened (the list of kinds, the type of
// a kind, this example, ForAgents, AgentTask, the schema of described tasks), and one folder was changed.
it('a fifth kind is a folder below runner/kinds: it is planned, run, judged, stored and shown', {
  timeout: 900_000,
}, async () => {
  const unknown = await clone.run([
    'suite',
    'show',
    join(process.cwd(), FOLDER, 'exercises/riddles'),
  ])
  expect(unknown.stderr).toContain('unknown kind "riddle": choose from exercise, browser')

  cpSync(FOLDER, clone.root, { recursive: true })
  const list = join(clone.root, LIST)
  for (const [before, line] of LINES) {
    const source = readFileSync(list, 'utf8')
    expect(source.split(before)).toHaveLength(2)
    writeFileSync(list, source.replace(before, `${line}${before}`))
  }
  expect((await clone.run(['suite', 'show', 'riddles'])).stdout).toContain('What is 20 + 22?')
  expect(await run('--subject', 'reference')).toMatchObject({ sealed: 1, solved: 1 })
  const agent = ['--name', 'guesser', '--command', 'printf 41 > answer.txt', '--isolation', 'local']
  expect(await run(...agent)).toMatchObject({ sealed: 1, solved: 0 })

  // Read by this repository's own code, which does not contain the kind.
  const db = openDb(join(clone.data, 'proofboard.db'))
  try {
    const [board] = (await listAllBoards(db)).map((one) => one.board)
    const rows = board?.rows.map(({ subject, success }) => [subject.name, success?.rate])
    expect(rows?.sort()).toEqual([
      ['guesser', 0],
      ['reference', 1],
    ])
    const suite = await findSuite(db, 'riddles')
    expect(kindTraits(suite?.kind ?? '').title).toBe('riddle')
    const [task] = suite?.tasks ?? []
    if (!task) throw new Error('the suite has no task')
    const page = renderToStaticMarkup(createElement(TaskFacts, { task }))
    expect(page).toContain('answer.txt')
  } finally {
    await db.$disconnect()
  }
})
