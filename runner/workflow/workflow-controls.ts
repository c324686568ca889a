import { join } from 'node:path'
import { controlSubject } from '../controls/control-subject.ts'
import { DONE } from '../controls/subject-driver.ts'
import { bundleProgram } from '../libraries/bundle-program.ts'
import { cdp } from '../libraries/cdp.ts'
import type { Driver } from '../libraries/driver.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { Script } from './host-order.ts'
import { ownScript, scriptedPlayer } from './scripted-player.ts'
import type { WorkflowPlayer, WorkflowTurn } from './workflow-player.ts'

type Control = Omit<Parameters<typeof scriptedPlayer>[0], 'adapter' | 'mode' | 'subject'>

const control = (name: string, { scriptOf }: Control): WorkflowPlayer =>
  scriptedPlayer({ adapter: cdp, mode: 'scaffold', subject: controlSubject(name), scriptOf })

/** Plays the task's own driver over the barest connection: whatever it does not solve is a broken task. */
const reference = control('reference', { scriptOf: ownScript })

/** Does nothing: whatever it solves is a hole in the contract. */
const nop: WorkflowPlayer = {
  ...reference,
  subject: controlSubject('nop'),
  webdriver: false,
  act: async ({ log }) => {
    log.write('nop: leaves the page as it is\n')
    return { ending: DONE, actions: [], report: null }
  },
}

/** Plays a plausible wrong driver of the task, another one each repetition. */
const wrong = control('wrong', {
  scriptOf: async (turn) => {
    const names = await wrongNames(turn)
    const name = names[(turn.repetition - 1 + turn.settings.seed) % names.length]
    if (name === undefined) throw new Error(`${turn.task.task.taskId} keeps no wrong driver`)
    turn.log.write(`wrong: plays "${name}"\n`)
    return wrongScript(turn, name)
  },
})

/** Looks for the harness's own way into the app and claims success: has to be caught and named. */
const cheater = control('cheater', {
  scriptOf: async () => ({ driverPath: await bundleProgram(CHEAT_DRIVER), wrong: null }),
})

const CHEAT_DRIVER = join(PROJECT_ROOT, 'runner/workflow/cheat-driver.ts')

export const WORKFLOW_CONTROLS: readonly WorkflowPlayer[] = [reference, nop, wrong, cheater]

/** The names of a task's wrong drivers. */
export async function wrongNames(turn: Pick<WorkflowTurn, 'task'>): Promise<string[]> {
  const { driverPath } = await ownScript(turn)
  const { driver } = (await import(driverPath)) as { driver: Driver }
  return Object.keys(driver.wrong)
}

/** One of a task's wrong drivers. */
export async function wrongScript(turn: Pick<WorkflowTurn, 'task'>, name: string): Promise<Script> {
  return { ...(await ownScript(turn)), wrong: name }
}
