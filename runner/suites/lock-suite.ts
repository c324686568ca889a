import { join } from 'node:path'
import { writeAtomic } from '../store/write-atomic.ts'
import type { LoadedExercise } from './task-folder.ts'

/** Keeps each task's expected test names beside it, so that loading need not run the reference; answers with how many. */
export async function lockSuite(tasks: readonly LoadedExercise[]): Promise<number> {
  for (const { folder, testsDigest, task } of tasks) {
    const content = { testsDigest, names: task.expectedTests }
    await writeAtomic(join(folder, '.meta', 'tests.json'), `${JSON.stringify(content, null, 2)}\n`)
  }
  return tasks.length
}
