import { join } from 'node:path'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import type { Mode } from '#lib/domain/episode.ts'
import { countNoProgress } from '#lib/domain/no-progress.ts'
import type { Subject } from '#lib/domain/subject.ts'
import type { SubjectEnding } from '../controls/subject-driver.ts'
import { bundleProgram } from '../libraries/bundle-program.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { playLibrary } from '../libraries/play-library.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { DRIVER_FILE } from '../suites/read-workflow.ts'
import { ACTION_TIMEOUT_MS } from './action-timeout.ts'
import type { Played, WorkflowPlayer, WorkflowTurn } from './workflow-player.ts'

/** Which script is played: the task's own driver, one of its wrong ones, or a module of somebody else. */
export type Script = { driverPath: string; wrong: string | null }

type Parts = {
  adapter: LibraryAdapter
  subject: Subject
  mode: Mode
  scriptOf: (turn: WorkflowTurn) => Promise<Script>
}

/** A library that plays a script over the action surface, the same script for every library. */
export function scriptedPlayer({ adapter, subject, mode, scriptOf }: Parts): WorkflowPlayer {
  return {
    subject,
    mode,
    driven: 'scripted',
    targeting: adapter.targeting,
    webdriver: adapter.webdriver,
    secrets: [],
    act: async (turn) => play(adapter, turn, await scriptOf(turn)),
  }
}

/** The bundled driver of a task, ready to be imported by a plain node. */
export async function ownScript({ task }: Pick<WorkflowTurn, 'task'>): Promise<Script> {
  return { driverPath: await bundleProgram(join(task.folder, DRIVER_FILE)), wrong: null }
}

async function play(adapter: LibraryAdapter, turn: WorkflowTurn, script: Script): Promise<Played> {
  const { task, origin, endpoint, webdriverPort, files } = turn
  const played = await playLibrary(
    turn,
    {
      library: adapter.name,
      drive: { kind: 'scripted', ...script },
      ...{ endpoint, webdriverPort, origin, files },
      start: task.task.start,
      actionTimeoutMs: ACTION_TIMEOUT_MS,
      maxActions: task.task.budgets.maxActions,
      folder: turn.temporary,
    },
    OWN_ENV,
  )
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
