import type { Subject } from './subject.ts'

/** Libraries that a user's own command starts: their code is not pinned by this project. */
const OWN_COMMAND_LIBRARIES: readonly string[] = ['openchrome']

/**
 * True for subjects that are programs of others, free to look for answers: agents, `--command`, and libraries run by a
 * user's own command. Controls and packaged libraries are code that this project pins.
 */
export function needsSandbox({ kind, name }: Pick<Subject, 'kind' | 'name'>): boolean {
  return kind === 'agent' || (kind === 'library' && OWN_COMMAND_LIBRARIES.includes(name))
}
