import { join } from 'node:path'
import { completeTask } from '#runner/suites/complete-task.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { readTaskFolder } from '#runner/suites/read-task-folder.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

/** One of our own exercises as a run loads it; the names of its tests have to be kept beside it. */
export function loadOneTask(taskId: string): Promise<LoadedExercise> {
  return completeTask(readTaskFolder(join(PROJECT_ROOT, 'exercises', 'typescript', taskId)), () => {
    throw new Error(`the names of the tests of ${taskId} are not kept beside it`)
  })
}
