import { z } from 'zod'
import { targetingSchema } from './browser.ts'

export const subjectKindSchema = z.enum(['agent', 'library', 'control'])

/** What is measured, with everything that tells it from another row. Null = not applicable or not known. */
export const subjectSchema = z.object({
  kind: subjectKindSchema,
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/),
  version: z.string().max(100).nullable(),
  adapterVersion: z.string().max(100).nullable(),
  provider: z.string().max(100).nullable(),
  modelRequested: z.string().max(200).nullable(),
  /** How a library points at elements; absent for everybody else. */
  targeting: targetingSchema.optional(),
})
export type Subject = z.infer<typeof subjectSchema>

/** One readable line: `claude 2.1.329 · claude-sonnet-4-6`. */
export function subjectLabel(subject: Subject): string {
  const name = subject.version ? `${subject.name} ${subject.version}` : subject.name
  return subject.modelRequested ? `${name} · ${subject.modelRequested}` : name
}

/** Libraries that a user's own command starts: their code is not pinned by this project. */
const OWN_COMMAND_LIBRARIES: readonly string[] = ['openchrome']

/** How the adapter version of an MCP server begins that a user's own file defines. */
export const OWN_FILE_VERSION = 'file.'

/**
 * True for subjects that are programs of others, free to look for answers: agents, `--command`, and libraries run by a
 * user's own command. Controls and packaged libraries are code that this project pins.
 */
export function needsSandbox({
  kind,
  name,
  adapterVersion,
}: Pick<Subject, 'kind' | 'name' | 'adapterVersion'>): boolean {
  if (kind !== 'library') return kind === 'agent'
  return (
    OWN_COMMAND_LIBRARIES.includes(name) || adapterVersion?.startsWith(OWN_FILE_VERSION) === true
  )
}
