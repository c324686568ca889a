import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { targetingSchema } from './names.ts'

export const subjectKindSchema = z.enum(['agent', 'library', 'control'])

const modelNameSchema = z.string().min(1).max(200)

/** The measured subject, with everything that distinguishes its row from others. Null = not applicable or unknown. */
export const subjectSchema = z.object({
  kind: subjectKindSchema,
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/),
  version: z.string().max(100).nullable(),
  adapterVersion: z.string().max(100).nullable(),
  provider: z.string().max(100).nullable(),
  modelRequested: z.string().max(200).nullable(),
  /** Other names of the requested model, as declared in its provider's or agent's file; absent = none. */
  aliases: z.array(modelNameSchema).min(1).max(20).optional(),
  /** Helper models that the agent may use beside it, declared in the same files; absent = none. */
  secondary: z.array(modelNameSchema).min(1).max(20).optional(),
  /** Locator strategy of a library; absent for all others. */
  targeting: targetingSchema.optional(),
  /** The arm of its plan (`arm.ts`) and the digest of its content; absent = the plan has no arms. */
  arm: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,39}$/,
      'expected at most 40 lower-case letters, digits, dots, dashes and underscores',
    )
    .optional(),
  armDigest: digestSchema.optional(),
})
export type Subject = z.infer<typeof subjectSchema>

/**
 * Returns a provider's name as used in options and files. If the name does not identify the server, a subject's
 * provider also contains the host: `ollama@127.0.0.1:11434`, or `openai@llm.example.com` for a proxy that is not
 * OpenAI's own address.
 */
export function providerName(provider: string): string {
  return provider.split('@', 1)[0] ?? provider
}

/**
 * Label of the model, with its provider if it is not at its vendor's own address: `gpt-5.4 (openai@llm.example.com)`.
 */
export function modelLabel({
  modelRequested,
  provider,
}: Pick<Subject, 'modelRequested' | 'provider'>): string | null {
  return modelRequested && provider?.includes('@')
    ? `${modelRequested} (${provider})`
    : modelRequested
}

/** Label in one line: `claude 2.1.329 · claude-sonnet-4-6`, and `· skill-x` for an arm of its plan. */
export function subjectLabel(subject: Subject): string {
  const name = subject.version ? `${subject.name} ${subject.version}` : subject.name
  return [name, modelLabel(subject), subject.arm].filter(Boolean).join(' · ')
}

/** Libraries that a user's own command starts: their code is not pinned by this project. */
const OWN_COMMAND_LIBRARIES: readonly string[] = ['openchrome']

/** Prefix of the adapter version of an MCP server that a user's own file defines. */
export const OWN_FILE_VERSION = 'file.'

const PINNED = /^file\.\d+\.[0-9a-f]{12}\+[0-9a-f]{12}(\+([0-9a-f]{8}|loop\.\d+|prompt\.\d+))*$/

/**
 * True for a library of a user's own file whose npm package is pinned: its adapter version has the digest of the
 * package's files after that of the file; the scripts, loop or prompt that drove it follow.
 */
export function isPinnedLibrary({ adapterVersion }: Pick<Subject, 'adapterVersion'>): boolean {
  return PINNED.test(adapterVersion ?? '')
}

/**
 * True for subjects that are third-party programs, which could search for solutions: agents, `--command`, and libraries
 * run by a user's own command. Controls and packaged libraries are code that this project pins.
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
