import { controlSubject } from './control-subject.ts'
import { DONE, type SubjectDriver } from './subject-driver.ts'
import { writeSolution } from './write-solution.ts'

/** Hands in the task's own reference: whatever it does not solve is a broken task. */
export const reference: SubjectDriver = {
  subject: controlSubject('reference'),
  mode: 'scaffold',
  refuses: () => null,
  act: async ({ task, workspace, log }) => {
    await writeSolution(workspace, task.reference)
    log.write(`reference: hands in ${task.task.files.example.join(', ')}\n`)
    return DONE
  },
}
