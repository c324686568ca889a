import { controlSubject } from './control-subject.ts'
import { DONE, type SubjectDriver } from './subject-driver.ts'

/** Does nothing: whatever it solves is a hole in the task. */
export const nop: SubjectDriver = {
  subject: controlSubject('nop'),
  mode: 'scaffold',
  refuses: () => null,
  act: async ({ log }) => {
    log.write('nop: leaves the stub as it is\n')
    return DONE
  },
}
