import type { AuditedAttack } from '#lib/domain/reports/index.ts'
import { drawHarborVersions } from '../../harbor/draw-versions.ts'
import type { LoadedHarbor } from '../../harbor/harbor-folder.ts'
import type { Change } from '../../repository/overlay.ts'
import { javascript, type Preludes, plantBefore } from './preludes.ts'
import { CHANNELS, forget, rememberingPreludes, summaryOf } from './remembered-runs.ts'

/** An attack on a task in Harbor's format: files that a hostile subject leaves in the task's folder. */
export type HarborAttack = Pick<AuditedAttack, 'name' | 'class' | 'summary'> & {
  kind: 'solution'
  scope: 'every-task' | 'sample'
  mustBeNamed: boolean
  /** `sources` = files that the reference writes. False = the attack does not apply to the task. */
  plant: (
    task: LoadedHarbor,
    place: { workspace: string; sources: readonly Change[] },
  ) => Promise<boolean>
}

const attack = (
  name: string,
  { summary, plant }: Pick<HarborAttack, 'summary' | 'plant'>,
): HarborAttack => ({
  name,
  kind: 'solution',
  class: 'verdict-forged',
  scope: 'every-task',
  mustBeNamed: false,
  summary,
  plant,
})

const EXITS: Preludes<LoadedHarbor> = {
  ...javascript([], 'process.exit(0)'),
  python: 'import os\nos._exit(0)',
  shell: 'exit 0',
}

/** Every attack on tasks in Harbor's format, in the order they are run and shown. */
export const HARBOR_ATTACKS: readonly HarborAttack[] = [
  attack('does-nothing', {
    summary: 'Leaves the folder as it is and ends well.',
    plant: async () => true,
  }),
  attack('exits-at-import', {
    summary: 'Ends the process of the verifier with exit code 0 as soon as the work is loaded.',
    plant: (task, place) => plantBefore(EXITS, task, place),
  }),
  ...CHANNELS.map((channel) =>
    attack(`remembers-runs-in-${channel.name}`, {
      summary: summaryOf(channel),
      plant: async (task, place) => {
        await forget(channel)
        // The run with unaltered tests comes last; no text reveals it.
        const last = drawHarborVersions(task).versions.length
        return plantBefore(rememberingPreludes(channel, last), task, place)
      },
    }),
  ),
]
