import { expect, it } from 'vitest'
import { repositoryForAgents } from '../../kinds/repository/for-agents.ts'
import type { LoadedRepository } from '../repository-folder.ts'
import { listWarnings, warningsOf } from './warnings-of.ts'

function taskWith(test: string, network: object | 'off' = 'off') {
  const tests = [{ path: 'a.test.js', bytes: Buffer.from(test), executable: false }]
  const task = { kind: 'repository', network }
  return { task, tests, canary: [], forAgents: repositoryForAgents } as unknown as LoadedRepository
}
const VALUE = [1, 2, 3, 4]
  .map((n) => `test('of ${n}', () => { assert.equal(f(${n}), 1) })`)
  .join('\n')

it.each([
  ['nothing of tests that compare with values', taskWith(VALUE), []],
  [
    'that work can guess where tests have opposites alone',
    taskWith("test('a', () => { assert.ok(f()) })"),
    ['Too few of its tests .* once in 1,'],
  ],
  [
    'that work can guess one value',
    taskWith("test('a', () => { assert.equal(f(), 1) })"),
    ['Too few of its tests .* once in 4,'],
  ],
  ['that work can guess where no test is changed at all', taskWith('f()'), ['Too few']],
  [
    'that tests run with a network',
    taskWith(VALUE, { reason: 'a server of theirs', for: ['setup', 'verify'] }),
    ['The tests run with a network'],
  ],
  [
    'nothing of a set-up with a network',
    taskWith(VALUE, { reason: 'packages', for: ['setup'] }),
    [],
  ],
])('warns of %s', (_, task, starts) => {
  expect(warningsOf(task)).toEqual(starts.map((start) => expect.stringMatching(`^${start}`)))
})

it('says each warning once, with the tasks that it is about', () => {
  const online = (taskId: string) => {
    const task = taskWith(VALUE, { reason: 'a server of theirs', for: ['verify'] })
    return { ...task, task: { ...task.task, taskId } }
  }
  expect(listWarnings(['a', 'b'].map(online))).toEqual([
    expect.stringMatching(/^a, b: The tests run with a network/),
  ])
  expect(listWarnings([...'abcdefghij'].map(online))).toEqual([
    expect.stringMatching(/^a, b, c, d, e, f, g, h and 2 more: The tests/),
  ])
})
