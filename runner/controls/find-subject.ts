import { unknownName } from '#lib/domain/nearest-names.ts'
import type { Plan } from '#lib/domain/plan.ts'
import { commandAgent } from '../agents/command-agent.ts'
import { cheater } from './cheater.ts'
import { flaky } from './flaky.ts'
import { nop } from './nop.ts'
import { reference } from './reference.ts'
import type { SubjectDriver } from './subject-driver.ts'
import { wrong } from './wrong.ts'

const CONTROLS: readonly SubjectDriver[] = [reference, nop, wrong, flaky, cheater]

export const SUBJECT_NAMES: readonly string[] = [
  ...CONTROLS.map(({ subject }) => subject.name),
  'command',
]

/** A subject nobody here knows: a usage error, told with the nearest names. */
export class UnknownSubjectError extends Error {}

/** The driver for a subject's name; `command` needs the shell command that starts it. */
export function findSubject(
  name: string,
  command: string | null,
  version: string | null,
): SubjectDriver {
  if (command !== null) return commandAgent({ name, command, version })
  const control = CONTROLS.find(({ subject }) => subject.name === name)
  if (control) return control
  if (name === 'command')
    throw new UnknownSubjectError('subject "command" needs --command "<shell command>"')
  throw new UnknownSubjectError(unknownName('subject', name, SUBJECT_NAMES))
}

/** The driver that a frozen plan names. */
export function plannedSubject({ subject, command }: Plan): SubjectDriver {
  return findSubject(subject.name, command, subject.version)
}
