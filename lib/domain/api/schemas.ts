import { z } from 'zod'
import { ledgerDocumentSchema, manifestSchema } from '../archive/index.ts'
import { boardRowSchema, boardSchema } from '../board/index.ts'
import { ledgerEntrySchema } from '../ledger/index.ts'
import {
  anyBundleSchema,
  anyEpisodeSchema,
  anyPlanSchema,
  environmentSchema,
  gatewayCallSchema,
  runEventSchema,
  subjectSchema,
  tracedActionSchema,
} from '../record/index.ts'
import { libraryFactsSchema } from '../reports/index.ts'
import { agentDefinitionSchema } from '../runs/index.ts'
import { suiteSchema, taskSchema, workflowSchema } from '../tasks/index.ts'

/** A published format, and where it is used. */
type Format = { name: string; what: string; schema: z.ZodType }

/** Body of every error: RFC 9457, with a stable `code` for programs. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string().meta({ description: 'The status in words.' }),
    status: z.number().int(),
    detail: z.string().meta({ description: 'What happened and what to do, in one sentence.' }),
    code: z.string().meta({ description: 'A stable error code for programs.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'The id of this request in the server log.' }),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Validation errors of the body, each with its path.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .meta({ description: 'The same code and message, for older clients.' }),
  })
  .meta({ description: 'An error.' })

const ALL: readonly Format[] = [
  {
    name: 'episode',
    what: 'One sealed episode: the envelope, episode.json',
    schema: anyEpisodeSchema,
  },
  { name: 'plan', what: 'A frozen plan: plan.json', schema: anyPlanSchema },
  { name: 'bundle', what: 'One run as it is uploaded: result.json', schema: anyBundleSchema },
  {
    name: 'environment',
    what: 'The versions a run used: lock.json',
    schema: environmentSchema,
  },
  { name: 'event', what: 'A line of a run’s events.ndjson', schema: runEventSchema },
  { name: 'suite', what: 'One version of a suite with its tasks', schema: suiteSchema },
  { name: 'task', what: 'One exercise or one browser workflow', schema: taskSchema },
  { name: 'workflow', what: 'A browser workflow of a suite', schema: workflowSchema },
  {
    name: 'subject',
    what: 'An agent, library or control',
    schema: subjectSchema,
  },
  { name: 'agent', what: 'An agent’s definition: <name>.yaml', schema: agentDefinitionSchema },
  { name: 'row', what: 'A leaderboard row', schema: boardRowSchema },
  { name: 'board', what: 'The leaderboard of one suite', schema: boardSchema },
  { name: 'ledger-entry', what: 'One entry of the public ledger', schema: ledgerEntrySchema },
  { name: 'ledger', what: 'The ledger: ledger.json', schema: ledgerDocumentSchema },
  { name: 'archive', what: 'The contents of an archive: manifest.json', schema: manifestSchema },
  { name: 'gateway-call', what: 'A line of an episode’s calls.ndjson', schema: gatewayCallSchema },
  { name: 'step', what: 'A line of an episode’s steps.ndjson', schema: tracedActionSchema },
  {
    name: 'library-facts',
    what: 'Measurements of libraries: library-facts.json',
    schema: libraryFactsSchema,
  },
  { name: 'problem', what: 'An error response', schema: problemSchema },
]

/** Every format, sorted by name. */
export const FORMATS: readonly Format[] = [...ALL].sort((a, b) => (a.name < b.name ? -1 : 1))

type JsonSchema = Record<string, unknown>

/** Publishes a format as a JSON Schema 2020-12 document, whose id is the address it is served at. */
export function publishSchema({ name, what, schema }: Format, publicUrl: string): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema)
  const address = `${publicUrl.replace(/\/$/, '')}/api/v1/schemas/${name}`
  return { $schema, $id: address, title: name, description: what, ...rest }
}

/**
 * Converts a schema to JSON Schema: what a reader must expect and a writer may send. Checks that only code can make
 * (matching digests, paths that stay inside) are not in it.
 */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' })
}
