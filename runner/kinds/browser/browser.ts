import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import type { Episode } from '#lib/domain/record/index.ts'
import { completeSettings } from '#lib/domain/settings/index.ts'
import { faultsOf } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { refuseArms } from '../../cli/ask-for-arms.ts'
import { chooseFaultedTasks } from '../../cli/choose-faulted-tasks.ts'
import { refuseUnkeptPins, withLimits } from '../../cli/choose-limits.ts'
import { writeError } from '../../cli/output.ts'
import type { PlanOptions } from '../../cli/plan-options.ts'
import { judgeStoredWorkflow } from '../../engine/judge-stored-workflow.ts'
import type { Evaluated } from '../../engine/stored-solutions.ts'
import { knownProviders } from '../../providers/known-providers.ts'
import { usageError } from '../../runner-error.ts'
import { foldersWith } from '../../suites/folders-with.ts'
import {
  DRIVER_FILE,
  digestApp,
  readWorkflowTask,
  WORKFLOW_FILE,
} from '../../suites/read-workflow.ts'
import { chooseAskedTasks } from '../../suites/select-tasks.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'
import { digestDrivers, findWorkflowSubject } from '../../workflow/find-workflow-subject.ts'
import { verifyWorkflows } from '../../workflow/verify-workflows.ts'
import { openWorkflowAdapter } from '../../workflow/workflow-adapter.ts'
import type { FrozenParts, Kind, LoadedSuite } from '../kind.ts'

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

/**
 * Compares the stored state of a workflow's app with its verdict. `drivers` is the digest of the scripts by which this
 * suite drives a library.
 */
async function evaluateWorkflow(
  folder: string,
  episode: Episode,
  task: LoadedWorkflow,
  drivers: string,
): Promise<Evaluated> {
  const { episodeId, subject } = episode
  const bare = { episodeId, after: null }
  if (task.task.digest !== episode.taskDigest)
    return { ...bare, result: 'no-task', reason: 'this server has another version of the task' }
  const scripts = subject.adapterVersion?.split('+')[1] ?? null
  if (subject.modelRequested === null && (scripts === null || scripts !== drivers))
    return { ...bare, result: 'no-place', reason: 'the scripts that drove it are not this suite’s' }
  const judged = await judgeStoredWorkflow(folder, episode, task)
  if ('missing' in judged) return { ...bare, result: 'no-solution', reason: judged.missing }
  if ('lost' in judged) return { ...bare, result: 'browser', reason: judged.lost }
  const { after, difference, undecided, decided } = judged
  if (difference !== null) return { ...bare, result: 'disagreed', reason: difference, after }
  if (undecided === 0) return { ...bare, result: 'agreed', reason: null, after }
  const reason = decided === 0 ? 'only its page, which is gone, could show the result' : null
  return { ...bare, result: 'browser', reason, after }
}

/** Resolves the parts of a plan for browser workflows. */
async function freezeWorkflows(
  options: PlanOptions,
  suite: LoadedSuite<LoadedWorkflow>,
  now: string,
): Promise<FrozenParts> {
  refuseAgentOptions(options)
  refuseArms(options)
  const { subject: name, model = null, provider = null, libraryFile = null } = options
  const providers = knownProviders(options.providerFile ?? null)
  const subject = await findWorkflowSubject(
    { name, model, provider, providers, libraryFile },
    suite,
  )
  const metered = subject.modelRequested !== null
  const { fault, ...request } = options.settings
  refuseUnkeptPins(request, { subject, metered })
  const wanted = chooseAskedTasks(suite.tasks, options)
  const { chosen, warnings } = chooseFaultedTasks({ ...options, fault }, wanted)
  const limited = withLimits(options, { subject, metered }, { kind: suite.suite.kind, now })
  const { browser = 'reused', ...settings } = limited.settings
  return {
    subject,
    chosen,
    settings: completeSettings({ ...settings, fault, browser, isolation: 'local' }),
    warnings: [...warnings, ...limited.warnings],
  }
}

/** Options that mean nothing where a library is measured. */
function refuseAgentOptions({ command, agentFile, agentVersion, settings }: PlanOptions): void {
  const { isolation, customInstruction, effort, login } = settings
  if (customInstruction !== undefined)
    throw usageError(
      'a browser suite has a fixed prompt: remove --custom-instruction',
      '--custom-instruction',
    )
  const requested = Object.entries({
    '--agent-version': agentVersion,
    '--effort': effort,
    '--login': login,
  })
  const given = requested.filter(([, value]) => value !== undefined).map(([flag]) => flag)
  if (given.length > 0)
    throw usageError(
      `a browser suite measures browser libraries: ${given.join(', ')} requires an agent on an exercise suite`,
      ...given,
    )
  if (command !== undefined || agentFile !== undefined)
    throw usageError(
      'a browser suite measures browser libraries: --command and --agent-file need an exercise suite',
      ...(command === undefined ? [] : ['--command']),
      ...(agentFile === undefined ? [] : ['--agent-file']),
    )
  if (isolation !== undefined && isolation !== 'auto' && isolation !== 'local')
    throw usageError(
      `a browser suite runs at --isolation local, since library and browser share this machine: remove --isolation ${isolation}`,
      '--isolation',
    )
}
