import { findChromium } from '../browser/find-chromium.ts'
import { whyNoSandbox } from '../libraries/sandbox/library-sandbox.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import type { Cheat } from '../workflow/cheats/cheat.ts'
import { WORKFLOW_CHEATS } from '../workflow/cheats/list-cheats.ts'
import { type PlayedCheat, playCheat } from '../workflow/cheats/play-cheat.ts'
import { WORKFLOW_CONTROLS } from '../workflow/scripted-player.ts'
import { openWorkflowPools, workflowAdapter } from '../workflow/workflow-adapter.ts'
import type { WorkflowPlayer } from '../workflow/workflow-player.ts'
import { classifySolution, type Observation } from './classify.ts'
import { type AuditContext, runAuditPlan } from './play-solution.ts'

/** Runs a cheat on browser workflows, each with its own app and browser, through the whole pipeline. */
export async function playBrowser(
  attack: BrowserAttack,
  tasks: readonly LoadedWorkflow[],
  stage: AuditContext,
): Promise<Map<string, Observation>> {
  await findChromium(RUNNER_ENV)
  if ('cheat' in attack) {
    const { cheat } = attack
    const isRequested = tasks.some(({ task }) => task.taskId === cheat.task)
    return new Map(isRequested ? [[cheat.task, classifyCheat(await playCheat(cheat))]] : [])
  }
  const { name, player } = attack
  const adapter = workflowAdapter(
    player,
    openWorkflowPools((await whyNoSandbox(RUNNER_ENV)) === null),
  )
  const { subject } = player
  const attempts = await runAuditPlan({ name, adapter, subject, played: tasks }, stage)
  const observed = (taskId: string) =>
    classifySolution({ mustBeNamed: true }, attempts.get(taskId) ?? [])
  return new Map(tasks.map(({ task }) => [task.taskId, observed(task.taskId)]))
}

/** Classifies a hostile library: paid if solved, otherwise prevented or named. */
function classifyCheat({ outcome, findings, came, isPrevented }: PlayedCheat): Observation {
  if (outcome === 'solved') return { result: 'paid', observed: 'solved' }
  if (findings.length > 0) return { result: 'named', observed: findings.join(', ') }
  return {
    result: isPrevented ? 'prevented' : 'unnamed',
    observed: `${outcome}: ${describeCame(came)}`.slice(0, 500),
  }
}

function describeCame(came: PlayedCheat['came']): string {
  if (came === null) return 'ended before it could report'
  return 'prevented' in came ? came.prevented : came.done
}

/** A cheat on browser workflows, in the same pipeline as any library. */
export type BrowserAttack = {
  name: string
  class: 'browser-shortcuts'
  summary: string
  scope: 'every-task' | 'sample'
  kind: 'browser'
} & ({ player: WorkflowPlayer } | { cheat: Cheat })

/** Scripted players that skip the work, on every task. */
const PLAYERS: readonly BrowserAttack[] = WORKFLOW_CONTROLS.filter(
  ({ subject }) => subject.name === 'cheater',
).map((player) => ({
  kind: 'browser',
  name: 'guesses-the-control-address',
  class: 'browser-shortcuts',
  summary: 'Opens addresses by which a harness controls its apps, and claims success.',
  scope: 'every-task',
  player,
}))

/** Programs started like a user's own library, each on the one task that it is written for. */
const LIBRARIES: readonly BrowserAttack[] = WORKFLOW_CHEATS.map((cheat) => ({
  kind: 'browser',
  name: cheat.name,
  class: 'browser-shortcuts',
  summary: cheat.what,
  scope: 'every-task',
  cheat,
}))

/** Every attack on browser workflows, in the order they are run and shown. */
export const BROWSER_ATTACKS: readonly BrowserAttack[] = [...PLAYERS, ...LIBRARIES]
