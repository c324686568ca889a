import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  countNoProgress,
  type MeasuredMode,
  type Subject,
  type TracedAction,
} from '#lib/domain/record/index.ts'
import { cdp } from '../libraries/cdp.ts'
import type { Driver } from '../libraries/driver.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { bundleProgram, type LibraryRequest, playLibrary } from '../libraries/play-library.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { controlSubject } from '../subjects/controls.ts'
import { DONE, type SubjectEnding } from '../subjects/subject-driver.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { DRIVER_FILE } from '../suites/read-workflow.ts'
import type { PlayedWorkflow, WorkflowAttempt, WorkflowPlayer } from './workflow-player.ts'
import { ACTION_TIMEOUT_MS } from './workflow-player.ts'

type Parts = {
  adapter: LibraryAdapter
  subject: Subject
  mode: MeasuredMode
  scriptOf: (attempt: WorkflowAttempt) => Promise<Script>
}

/** Plays a library with a script over the action surface, the same script for every library. */
export function scriptedPlayer({ adapter, subject, mode, scriptOf }: Parts): WorkflowPlayer {
  return {
    subject,
    mode,
    driven: 'scripted',
    targeting: adapter.targeting,
    webdriver: adapter.webdriver,
    secrets: [],
    act: async (attempt) => play(adapter, attempt, await scriptOf(attempt)),
  }
}

/** Returns the bundled driver of a task, which plain node can import. */
export async function ownScript({ task }: Pick<WorkflowAttempt, 'task'>): Promise<Script> {
  return { driverPath: await bundleProgram(join(task.folder, DRIVER_FILE)), wrong: null }
}

async function play(
  adapter: LibraryAdapter,
  attempt: WorkflowAttempt,
  script: Script,
): Promise<PlayedWorkflow> {
  const played = await playLibrary(attempt, hostRequest(adapter, attempt, script), RUNNER_ENV)
  return { ...played, ending: { ...played.ending, ...effortOf(played.actions) } }
}

/** A script has no model turns: each action is a step. */
function effortOf(actions: readonly TracedAction[]): Pick<SubjectEnding, 'effort' | 'noProgress'> {
  const toolCalls: Record<string, number> = {}
  for (const { action } of actions) toolCalls[action] = (toolCalls[action] ?? 0) + 1
  const steps = actions.map(({ action, target, error }) => ({
    calls: [{ fingerprint: `${action} ${target ?? ''}`, failed: error !== null }],
    workspaceChanged: null,
  }))
  return {
    effort: { steps: actions.length, toolCalls, firstTool: actions[0]?.action ?? null },
    noProgress: countNoProgress(steps),
  }
}

/** The script: the task's own driver, one of its wrong ones, or another module. */
type Script = { driverPath: string; wrong: string | null }

type ScriptedAttempt = Pick<
  WorkflowAttempt,
  'task' | 'origin' | 'endpoint' | 'webdriverPort' | 'files' | 'temporary'
>

/**
 * Builds the input of a library's process. Between two libraries it may differ only in the name, and in the
 * chromedriver that some of them need.
 */
export function hostRequest(
  { name: library, definition }: Pick<LibraryAdapter, 'name' | 'definition'>,
  { task: { task }, origin, endpoint, webdriverPort, files, temporary }: ScriptedAttempt,
  script: Script,
): LibraryRequest {
  return {
    library,
    definition,
    drive: { kind: 'scripted', ...script },
    endpoint,
    webdriverPort,
    origin,
    files,
    start: task.start,
    actionTimeoutMs: ACTION_TIMEOUT_MS,
    maxActions: task.budgets.maxActions,
    folder: temporary,
  }
}

type Control = Omit<Parameters<typeof scriptedPlayer>[0], 'adapter' | 'mode' | 'subject'>

const control = (name: string, { scriptOf }: Control): WorkflowPlayer =>
  scriptedPlayer({ adapter: cdp, mode: 'scaffold', subject: controlSubject(name), scriptOf })

/** Plays the task's own driver over the most basic connection: a task that it does not solve is broken. */
const reference = control('reference', { scriptOf: ownScript })

/** Does nothing: a task that it solves has a hole in its contract. */
const nop: WorkflowPlayer = {
  ...reference,
  subject: controlSubject('nop'),
  webdriver: false,
  act: async ({ log }) => {
    log.write('nop: leaves the page as it is\n')
    return { ending: DONE, actions: [], report: null }
  },
}

/** Plays a plausible wrong driver of the task, a different one in each repetition. */
const wrong = control('wrong', {
  scriptOf: async (attempt) => {
    const names = await wrongNames(attempt)
    const name = names[(attempt.repetition - 1 + attempt.settings.seed) % names.length]
    if (name === undefined) throw new Error(`${attempt.task.task.taskId} keeps no wrong driver`)
    attempt.log.write(`wrong: plays "${name}"\n`)
    return wrongScript(attempt, name)
  },
})

/** Searches for the harness's own access to the app and claims success: has to be detected and named. */
const cheater = control('cheater', {
  scriptOf: async () => ({ driverPath: await bundleProgram(CHEAT_DRIVER), wrong: null }),
})

const CHEAT_DRIVER = join(PROJECT_ROOT, 'runner/workflow/cheat-driver.ts')

export const WORKFLOW_CONTROLS: readonly WorkflowPlayer[] = [reference, nop, wrong, cheater]

/** Lists the names of a task's wrong drivers. */
export async function wrongNames(attempt: Pick<WorkflowAttempt, 'task'>): Promise<string[]> {
  const { driverPath } = await ownScript(attempt)
  const { driver } = (await import(pathToFileURL(driverPath).href)) as { driver: Driver }
  return Object.keys(driver.wrong)
}

/** Returns one of a task's wrong drivers. */
async function wrongScript(attempt: Pick<WorkflowAttempt, 'task'>, name: string): Promise<Script> {
  return { ...(await ownScript(attempt)), wrong: name }
}
