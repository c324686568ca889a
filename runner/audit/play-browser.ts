import { findChromium } from '../browser/find-chromium.ts'
import { OWN_ENV } from '../process/own-env.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import { type PlayedCheat, playCheat } from '../workflow/cheats/play-cheat.ts'
import { openWorkflowHouse } from '../workflow/open-workflow-arena.ts'
import { workflowArena } from '../workflow/workflow-arena.ts'
import type { BrowserAttack } from './browser-attacks.ts'
import { classifySolution, type Observation } from './classify.ts'
import { type AuditStage, playArena } from './play-solution.ts'

/** Plays a cheat on browser workflows, each in an app and a browser of its own, through the whole pipeline. */
export async function playBrowser(
  attack: BrowserAttack,
  tasks: readonly LoadedWorkflow[],
  stage: AuditStage,
): Promise<Map<string, Observation>> {
  await findChromium(OWN_ENV)
  if ('cheat' in attack) {
    const { cheat } = attack
    const isAsked = tasks.some(({ task }) => task.taskId === cheat.task)
    return new Map(isAsked ? [[cheat.task, classifyCheat(await playCheat(cheat))]] : [])
  }
  const { name, player } = attack
  const arena = workflowArena(player, await openWorkflowHouse())
  const { subject } = player
  const attempts = await playArena({ name, arena, subject, played: tasks }, stage)
  const observed = (taskId: string) =>
    classifySolution({ mustBeNamed: true }, attempts.get(taskId) ?? [])
  return new Map(tasks.map(({ task }) => [task.taskId, observed(task.taskId)]))
}

/** A hostile library pays when it is solved; it holds when it is named or could reach nothing. */
function classifyCheat({ outcome, findings, came, holds }: PlayedCheat): Observation {
  if (outcome === 'solved') return { result: 'paid', observed: 'solved' }
  if (findings.length > 0) return { result: 'named', observed: findings.join(', ') }
  const said = came && 'prevented' in came ? came.prevented : 'ended before it could report'
  return { result: holds ? 'prevented' : 'unnamed', observed: `${outcome}: ${said}`.slice(0, 500) }
}
