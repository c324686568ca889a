import { startAppHouse } from '../apps/start-app-house.ts'
import { findChromium } from '../browser/find-chromium.ts'
import { startBrowserHouse } from '../browser/start-browser-house.ts'
import { local } from '../isolation/local.ts'
import { OWN_ENV } from '../process/own-env.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import { workflowArena } from '../workflow/workflow-arena.ts'
import type { BrowserAttack } from './browser-attacks.ts'
import { classifySolution, type Observation } from './classify.ts'
import { type AuditStage, playArena } from './play-solution.ts'

/** Plays a cheat on browser workflows, each in an app and a browser of its own, through the whole pipeline. */
export async function playBrowser(
  { name, player }: BrowserAttack,
  tasks: readonly LoadedWorkflow[],
  stage: AuditStage,
): Promise<Map<string, Observation>> {
  await findChromium(OWN_ENV)
  const arena = workflowArena(player, async (run) => ({
    apps: await startAppHouse({ ...run, folder: run.temporary }),
    browsers: await startBrowserHouse({ ...run, own: OWN_ENV }),
    isolation: local,
  }))
  const { subject } = player
  const attempts = await playArena({ name, arena, subject, played: tasks }, stage)
  const observed = (taskId: string) =>
    classifySolution({ mustBeNamed: true }, attempts.get(taskId) ?? [])
  return new Map(tasks.map(({ task }) => [task.taskId, observed(task.taskId)]))
}
