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

/**
 * The name of a provider as options and files call it. Where the name alone does not say who answers, a subject's provider
 * holds the host too: `ollama@127.0.0.1:11434`, or `openai@llm.example.com` for a proxy that is not OpenAI's own address.
 */
export function providerName(provider: string): string {
  return provider.split('@', 1)[0] ?? provider
}

/** The model, and who answers for it where that is not its vendor's own address: `gpt-5.4 (openai@llm.example.com)`. */
export function modelLabel({
  modelRequested,
  provider,
}: Pick<Subject, 'modelRequested' | 'provider'>): string | null {
  return modelRequested && provider?.includes('@')
    ? `${modelRequested} (${provider})`
    : modelRequested
}

/** One readable line: `claude 2.1.329 · claude-sonnet-4-6`. */
export function subjectLabel(subject: Subject): string {
  const name = subject.version ? `${subject.name} ${subject.version}` : subject.name
  const model = modelLabel(subject)
  return model ? `${name} · ${model}` : name
}

/** Libraries that a user's own command starts: their code is not pinned by this project. */
const OWN_COMMAND_LIBRARIES: readonly string[] = ['openchrome']

/**
 * True for subjects that are programs of others, free to look for answers: agents, `--command`, and libraries run by a
 * user's own command. Controls and packaged libraries are code that this project pins.
 */
export function needsSandbox({ kind, name }: Pick<Subject, 'kind' | 'name'>): boolean {
  return kind === 'agent' || (kind === 'library' && OWN_COMMAND_LIBRARIES.includes(name))
}
