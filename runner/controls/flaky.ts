import { digestJson } from '#lib/domain/digest.ts'
import { controlSubject } from './control-subject.ts'
import { DONE, type SubjectDriver } from './subject-driver.ts'
import { writeSolution } from './write-solution.ts'

/** Solves a task with probability one half, drawn from the plan's seed: the same plan always gives the same draws. */
export const flaky: SubjectDriver = {
  subject: controlSubject('flaky'),
  mode: 'scaffold',
  refuses: () => null,
  act: async ({ task, repetition, settings, workspace, log }) => {
    const draw = digestJson({ seed: settings.seed, taskId: task.task.taskId, repetition })
    const solves = Number.parseInt(draw.slice(-2), 16) < 128
    if (solves) await writeSolution(workspace, task.reference)
    log.write(`flaky: drew ${solves ? 'the reference' : 'nothing'} for repetition ${repetition}\n`)
    return DONE
  },
}
