import { WORKFLOW_CONTROLS } from '../workflow/workflow-controls.ts'
import type { WorkflowPlayer } from '../workflow/workflow-player.ts'

/** A cheat on browser workflows: a player of the same pipeline that does not do the work. */
export type BrowserAttack = {
  name: string
  class: 'browser-shortcuts'
  summary: string
  scope: 'every-task' | 'sample'
  kind: 'browser'
  player: WorkflowPlayer
}

/** Every attack on browser workflows, in the order in which it is played and shown. */
export const BROWSER_ATTACKS: readonly BrowserAttack[] = WORKFLOW_CONTROLS.filter(
  ({ subject }) => subject.name === 'cheater',
).map((player) => ({
  kind: 'browser',
  name: 'guesses-the-control-address',
  class: 'browser-shortcuts',
  summary: 'Opens addresses by which a harness controls its apps, and claims success.',
  scope: 'every-task',
  player,
}))
