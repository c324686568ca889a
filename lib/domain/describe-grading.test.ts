import { expect, it } from 'vitest'
import { sampleSuite } from './board/build-sample-run.ts'
import { describeGrading, describeSuiteGrading } from './describe-grading.ts'
import { digestBytes } from './digest.ts'
import type { Task } from './task.ts'

const plain = sampleSuite(8).tasks
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
