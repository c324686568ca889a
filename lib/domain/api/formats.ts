import type { z } from 'zod'
import { agentDefinitionSchema } from '../agent/agent-definition.ts'
import { manifestSchema } from '../archive/archive.ts'
import { ledgerDocumentSchema } from '../archive/ledger-document.ts'
import { libraryFactsSchema } from '../axes/library-facts.ts'
import { boardRowSchema, boardSchema } from '../board/board-row.ts'
import { tracedActionSchema } from '../browser/traced-action.ts'
import { workflowSchema } from '../browser/workflow.ts'
import { bundleSchema } from '../bundle.ts'
import { environmentSchema } from '../environment.ts'
import { episodeSchema } from '../episode.ts'
import { gatewayCallSchema } from '../gateway-call.ts'
import { ledgerEntrySchema } from '../ledger/ledger-entry.ts'
import { planSchema } from '../plan.ts'
import { runEventSchema } from '../run-event.ts'
import { subjectSchema } from '../subject.ts'
import { suiteSchema } from '../suite.ts'
import { taskSchema } from '../task.ts'
import { problemSchema } from './problem-schema.ts'

/** A format that is read or written somewhere, and where one meets it. */
export type Format = { name: string; what: string; schema: z.ZodType }

const ALL: readonly Format[] = [
  {
    name: 'episode',
    what: 'One sealed episode: the envelope, episode.json',
    schema: episodeSchema,
  },
  { name: 'plan', what: 'A frozen plan: plan.json', schema: planSchema },
  { name: 'bundle', what: 'One run as it is uploaded: result.json', schema: bundleSchema },
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

/** Every format by name. */
export const FORMATS: readonly Format[] = [...ALL].sort((a, b) => (a.name < b.name ? -1 : 1))
