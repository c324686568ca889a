import { controlSubject } from './control-subject.ts'
import { DONE, type SubjectDriver } from './subject-driver.ts'
import { writeSolution } from './write-solution.ts'

/** Hands in a plausible wrong solution, another one each repetition: whatever it solves is a weak contract. */
export const wrong: SubjectDriver = {
  subject: controlSubject('wrong'),
  mode: 'scaffold',
  refuses: (task) => (task.wrong.length > 0 ? null : 'keeps no wrong solution in .meta/wrong'),
  act: async ({ task, repetition, settings, workspace, log }) => {
    const choice = task.wrong[(repetition - 1 + settings.seed) % task.wrong.length]
    if (!choice) throw new Error(`${task.task.taskId} keeps no wrong solution`)
    await writeSolution(workspace, choice.files)
    log.write(`wrong: hands in .meta/wrong/${choice.name}.ts\n`)
    return DONE
  },
}
