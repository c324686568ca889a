import { rowNotices } from '#lib/domain/board/index.ts'
import { type BoardAttack, expectLabelled } from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { STOPPED, WHOLE } from '../local-runs.ts'

/** Attempts that were removed or stopped by a person with access to the data folder, on a separate server. */
export const localAttacks = (isDirty: boolean): readonly BoardAttack[] => [
  {
    name: 'run-folder-deleted',
    tries: 'a run killed after two sealed episodes, its folder deleted, and run again',
    // A control is never ranked; its missing results are reported like an agent's.
    expected: expectLabelled('mode', 'registered', ...(isDirty ? ['pins'] : [])),
    play: (ground) => played(ground, WHOLE),
  },
  {
    name: 'local-ctrl-c',
    tries: 'attempts under way stopped by Ctrl-C and run again',
    expected: {
      end: 'shown',
      find: (row) => rowNotices(row).find((text) => /cancelled attempt/.test(text)) ?? null,
    },
    play: (ground) => played(ground, STOPPED),
  },
]

async function played(ground: AttackedBoard, runId: string) {
  await ground.runLocally()
  return { answer: null, runIds: [runId] }
}
