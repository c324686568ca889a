import { digestBytes } from '#lib/domain/digest.ts'
import { digestSuite, type Suite } from '#lib/domain/suite.ts'
import { sampleSuite } from '../sample-suite.ts'

const CATEGORIES = ['strings', 'algorithms', 'types', 'parsing', 'logged-in']
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const

/** A made-up suite; version 2 differs from 1 in its last two tasks, and all its others have held-out transcripts. */
export function demoSuite(version: 1 | 2 = 2, taskCount = 20): Suite {
  const [shape] = sampleSuite().tasks
  if (!shape) throw new Error('the sample suite has no task')
  const tasks = Array.from({ length: taskCount }, (_, index) => {
    const taskId = `demo-${String(index + 1).padStart(2, '0')}`
    const isChanged = version === 2 && index >= taskCount - 2
    const hasHeldOut = version === 2 && !isChanged
    return {
      ...shape,
      taskId,
      title: `Made-up task ${index + 1}`,
      digest: digestBytes(isChanged ? `${taskId} v2` : taskId),
      category: CATEGORIES[index % CATEGORIES.length] ?? 'strings',
      difficulty: DIFFICULTIES[index % DIFFICULTIES.length] ?? 'easy',
      ...(hasHeldOut ? { heldOut: digestBytes(`held-out ${taskId}`) } : {}),
    }
  })
  return {
    ...sampleSuite(`${version}.0.0`),
    suiteId: 'demo',
    // A board of every kind of row has scripted ones, too.
    subjectKinds: ['agent', 'library', 'control'],
    title: 'Demo (simulated)',
    description:
      'Made-up tasks and made-up results, to see every kind of row. Nothing here was measured.',
    digest: digestSuite(tasks),
    tasks,
  }
}
