import { listRunnableSuites } from '#lib/board/list-suites.ts'
import { database } from '#lib/db/database.ts'
import { listModels } from '#lib/db/subject-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { faultsOf } from '#lib/domain/browser/workflow.ts'
import {
  type LaunchChoices,
  listControls,
  type TaskChoice,
} from '#lib/domain/launch/launch-choices.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { type AskedSubjects, askSubjects } from './ask-subjects.ts'

const MOST_MODELS = 200
const NOBODY: AskedSubjects = { subjects: [], isolation: null, trouble: null }

export type Choices = { suite: Suite | null; choices: LaunchChoices }

/** What can be launched on a suite here; an empty name means the first suite. Who cannot be started is told, not hidden. */
export async function listChoices(suiteId: string, now: number): Promise<Choices> {
  const suites = await listRunnableSuites()
  const wanted = suiteId || suites[0]?.suiteId
  const db = database()
  const [kept, models] = await Promise.all([
    wanted === undefined ? null : findSuite(db, wanted),
    listModels(db, MOST_MODELS),
  ])
  const suite = kept?.kind === 'reported' ? null : kept
  const asked = suite ? await askSubjects(suite.kind, now) : NOBODY
  return {
    suite,
    choices: {
      suites: suites.map(({ suiteId: id, title }) => ({ suiteId: id, title })),
      suite: suite && { suiteId: suite.suiteId, kind: suite.kind, tasks: listTasks(suite) },
      subjects: suite ? [...listControls(suite.kind), ...asked.subjects] : [],
      models,
      isolation: asked.isolation,
      trouble: asked.trouble,
    },
  }
}

function listTasks({ tasks }: Suite): TaskChoice[] {
  return tasks.map((task) => ({
    taskId: task.taskId,
    category: task.category,
    faults: 'faults' in task ? faultsOf(task) : [],
  }))
}
