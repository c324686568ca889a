import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { readHarborTask } from './read-harbor-task.ts'
import { chooseVariables, fillVariables, findMissing, readAllowed } from './variables.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const HOST = { TASK_KEY: 'k-123', OTHER: 'secret', EMPTY: '', LINES: 'a\nb' }
const loaded = readHarborTask(
  writeHarborTask(root, {
    'task.toml': `[environment]
env = { KEY = "\${TASK_KEY}", REGION = "\${AWS_REGION:-eu}", PLAIN = "x" }
[verifier]
env = { JUDGE = "Bearer \${TASK_KEY}", WANTED = "hello" }
[solution]
env = { HINT = "\${TASK_HINT}" }
`,
  }),
)

describe('variables of this machine', () => {
  it('are not part of the task: it keeps their names, and takes defaults without asking', () => {
    expect(loaded.task.env).toEqual({ KEY: '$' + '{TASK_KEY}', REGION: 'eu', PLAIN: 'x' })
    expect(loaded.task.notes).toContain(
      'it asks for variables of the machine that runs it: TASK_KEY, TASK_HINT (--env)',
    )
  })

  it('are given only by name, and a task that asks for others is refused', () => {
    const some = readAllowed(['TASK_KEY'], HOST)
    expect(findMissing(loaded.task, some)).toBe(
      'asks for TASK_HINT of this machine, which it is given only with --env TASK_HINT',
    )
    expect(() => chooseVariables([loaded], some)).toThrow(
      'these tasks cannot be run: greet asks for TASK_HINT',
    )
    const all = readAllowed(['TASK_KEY', 'TASK_HINT', 'OTHER'], { ...HOST, TASK_HINT: 'h' })
    expect(chooseVariables([loaded], all)).toEqual({ TASK_KEY: 'k-123', TASK_HINT: 'h' })
    const { task, inputs } = fillVariables(loaded, all)
    expect([task.env.KEY, task.verifier.env.JUDGE, task.solutionEnv.HINT]).toEqual([
      'k-123',
      'Bearer k-123',
      'h',
    ])
    expect([task.digest, inputs]).toEqual([loaded.task.digest, loaded.inputs])
  })

  it.each([
    ['ABSENT', '--env ABSENT: is not set here'],
    ['EMPTY', '--env EMPTY: is not set here'],
    ['LINES', '--env LINES: contains a line break'],
    ['A=B', '--env A=B: is not the name of a variable'],
  ])('are refused by name: %s', (name, sentence) => {
    expect(() => readAllowed([name], HOST)).toThrow(sentence)
  })
})
