import type { Cheat } from '../workflow/cheats/cheat.ts'
import { CHEATS } from '../workflow/cheats/list-cheats.ts'
import { WORKFLOW_CONTROLS } from '../workflow/workflow-controls.ts'
import type { WorkflowPlayer } from '../workflow/workflow-player.ts'

/** A cheat on browser workflows, in the same pipeline as any library. */
export type BrowserAttack = {
  name: string
  class: 'browser-shortcuts'
  summary: string
  scope: 'every-task' | 'sample'
  kind: 'browser'
} & ({ player: WorkflowPlayer } | { cheat: Cheat })

/** A player of ours that does not do the work, on every task. */
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

/** Programs that are started as a user's own library would be, each on the one task that it is written for. */
const LIBRARIES: readonly BrowserAttack[] = CHEATS.map((cheat) => ({
  kind: 'browser',
  name: cheat.name,
  class: 'browser-shortcuts',
  summary: cheat.what,
  scope: 'every-task',
  cheat,
}))

/** Every attack on browser workflows, in the order in which it is played and shown. */
export const BROWSER_ATTACKS: readonly BrowserAttack[] = [...PLAYERS, ...LIBRARIES]
