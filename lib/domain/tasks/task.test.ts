import { expect, it } from 'vitest'
import { sampleBoardSuite } from '#lib/testing/factories/sample-run.ts'
import { digestBytes } from '../digest/index.ts'
import { addMutations, type Mutation, survivingShare } from './exercise.ts'
import { describeGrading, describeSuiteGrading } from './grading.ts'
import { kindOf, type Task, taskKind, taskSchema } from './task.ts'

const one: Mutation = {
  mutants: 10,
  compiled: 8,
  caughtByVisible: 5,
  caughtByHeldOut: 6,
  surviving: 2,
  wrong: 3,
  wrongCaught: 3,
}

it('takes the share of those that compile', () => {
  expect(survivingShare(one)).toBe(0.25)
  expect(survivingShare({ ...one, compiled: 0, surviving: 0 })).toBeNull()
})

it('adds tasks up, and knows no sum of held-out figures when one task has none', () => {
  expect(addMutations([one, one])).toEqual({
    mutants: 20,
    compiled: 16,
    caughtByVisible: 10,
    caughtByHeldOut: 12,
    surviving: 4,
    wrong: 6,
    wrongCaught: 6,
  })
  expect(addMutations([one, { ...one, caughtByHeldOut: null }]).caughtByHeldOut).toBeNull()
})

const plain = sampleBoardSuite(8).tasks
const [first] = plain
const guarded = plain.map((task): Task => ({ ...task, heldOut: digestBytes(task.taskId) }) as Task)

it('says for each task what decides a solution', () => {
  expect(describeGrading(first as Task)).toBe('visible tests only')
  expect(describeGrading(guarded[0] as Task)).toBe('visible tests + held-out transcript')
  const reported = { ...first, kind: 'reported', expectedTests: [] } as unknown as Task
  expect(describeGrading(reported)).toBeNull()
  expect(describeSuiteGrading([reported])).toBeNull()
})

it('says the same for a suite, and names the tasks with visible tests only', () => {
  expect(describeSuiteGrading(plain)).toBe('visible tests only')
  expect(describeSuiteGrading(guarded)).toBe('visible tests + held-out transcript')
  expect(describeSuiteGrading([...guarded.slice(0, 6), ...plain.slice(6)])).toBe(
    'held-out transcript on 6 of 8 tasks; visible tests only on task-7, task-8',
  )
  expect(describeSuiteGrading([...guarded.slice(0, 2), ...plain.slice(2)])).toBe(
    'held-out transcript on 2 of 8 tasks; visible tests only on task-3, task-4, task-5, task-6, task-7 and 1 more',
  )
})

const described = {
  kind: 'riddle',
  taskId: 'sum',
  digest: digestBytes('sum'),
  title: 'Sum',
  category: 'riddles',
  difficulty: 'easy',
  instruction: 'What is 20 + 22?',
  grading: 'one answer, compared as text',
  tests: 3,
  areTestsOnline: false,
  facts: { 'Answer file': 'answer.txt' },
}

it('reads a task of any kind that describes itself', () => {
  const task = taskSchema.parse(described)
  expect(kindOf(task)).toEqual({ kind: 'described', task: described })
  expect(describeGrading(task)).toBe('one answer, compared as text')
  expect(taskKind(task).effort(task)).toEqual({ tests: 3, maxTurns: null, isPaged: false })
  expect(taskKind(task).texts(task)).toBe('What is 20 + 22?')
})

it.each(['exercise', 'browser', 'repository', 'harbor', 'reported'])(
  'takes no description for a task of kind %s, which has its own schema',
  (kind) => {
    expect(taskSchema.safeParse({ ...described, kind }).success).toBe(false)
  },
)
