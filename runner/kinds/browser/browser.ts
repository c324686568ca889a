import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import { faultsOf } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { writeError } from '../../cli/output.ts'
import { usageError } from '../../runner-error.ts'
import { foldersWith } from '../../suites/folders-with.ts'
import {
  DRIVER_FILE,
  digestApp,
  readWorkflowTask,
  WORKFLOW_FILE,
} from '../../suites/read-workflow.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'
import { digestDrivers } from '../../workflow/find-workflow-subject.ts'
import { verifyWorkflows } from '../../workflow/verify-workflows.ts'
import { openWorkflowAdapter } from '../../workflow/workflow-adapter.ts'
import type { Kind } from '../kind.ts'
import { evaluateWorkflow } from './evaluate-workflow.ts'
import { freezeWorkflows } from './freeze-workflows.ts'

const NO_FOLDER = 'a browser workflow is judged by the state of its app: judge takes exercises'

/** Browser workflows: a library drives an app, and the state of the app decides. */
export const BROWSER: Kind<LoadedWorkflow> = {
  name: 'browser',
  usesVerifier: false,
  load: async (folder) => ({ tasks: await loadWorkflows(folder) }),
  prove: (suite, tasks, how) =>
    verifyWorkflows(suite, tasks, { ...how, mostWrong: how.wrong ?? null }),
  lock: async ({ suite: { suiteId } }) => {
    throw usageError(`${suiteId} is a browser suite: it has no test names to keep`)
  },
  freeze: freezeWorkflows,
  open: async (plan, suite, { isolation: _, verifier: __, agentFile: ___, ...parts }) => {
    const opened = await openWorkflowAdapter(plan, suite, {
      ...parts,
      libraryFile: parts.libraryFile ?? null,
    })
    if (opened.weakness) writeError(opened.weakness)
    return opened
  },
  refuseFolder: NO_FOLDER,
  judgeFolder: async () => {
    throw usageError(NO_FOLDER)
  },
  stored: null,
  evaluateState: (suite) => {
    const drivers = digestDrivers(suite)
    return (folder, episode, task) =>
      evaluateWorkflow(folder, episode, task as LoadedWorkflow, drivers)
  },
  describe: ({ task }) =>
    `${task.app}, ${countOf(task.contract.length, 'assertion')}, ${countOf(faultsOf(task).length, 'fault')}`,
}

function loadWorkflows(folder: string): Promise<LoadedWorkflow[]> {
  const apps = join(folder, 'apps')
  const digests = new Map<string, Digest | null>()
  const digestOf = (app: string) => {
    const known = digests.get(app)
    const digest = known === undefined ? digestApp(apps, app) : known
    digests.set(app, digest)
    return digest
  }
  const folders = foldersWith(folder, [WORKFLOW_FILE, DRIVER_FILE])
  return Promise.all(folders.map((path) => readWorkflowTask(path, digestOf)))
}
