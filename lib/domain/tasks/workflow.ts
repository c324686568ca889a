import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import {
  BROWSER_FAULT_KINDS,
  browserFaultKindSchema,
  difficultySchema,
  durationMsSchema,
  relativePathSchema,
  releasedSchema,
  slugSchema,
} from '../record/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { assertionSpecSchema } from './contract.ts'
import { familySchema } from './family.ts'

/** Kinds of browser work. */
export const WORKFLOW_CATEGORIES = [
  'information-retrieval',
  'multi-step-navigation',
  'form-fill',
  'transactional',
  'dynamic-ui',
  'recovery',
  'long-horizon',
  'logged-in',
] as const

/** A request pattern of the app's server, `POST /cart/items`; `*` matches one path segment. */
export const requestPatternSchema = z
  .string()
  .regex(
    /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/,
    'is not a request: write METHOD /path, as in POST /orders',
  )

/** The capabilities that a workflow requires of a library beyond clicking, typing and reading. */
export const abilitySchema = z.enum(['upload', 'download', 'drag', 'iframe', 'dialog'])
export type Ability = z.infer<typeof abilitySchema>

/** `task.json`: a workflow as its author writes it. */
export const workflowFileSchema = z.strictObject({
  title: z.string().min(1).max(200),
  category: z.enum(WORKFLOW_CATEGORIES),
  difficulty: difficultySchema,
  app: slugSchema,
  /** The start page: a path of the app. */
  start: z.string().startsWith('/').max(300),
  /** Seed of the app's initial state, the same for every subject. */
  seed: z.number().int().nonnegative(),
  /** The user's instruction, the only input of a language model. `{{origin}}` becomes the app's URL. */
  instruction: z.string().min(1).max(4000),
  budgets: z.strictObject({
    timeoutMs: durationMsSchema,
    maxActions: z.number().int().positive().max(1000),
  }),
  needs: z.array(abilitySchema).default([]),
  /** Files that the user can upload, relative to the task's folder. */
  files: z.array(relativePathSchema).max(20).default([]),
  /** Faults that can be injected, each with the request that triggers it: once, at the first match. */
  faults: z.partialRecord(browserFaultKindSchema, requestPatternSchema),
  contract: z.array(assertionSpecSchema).min(1).max(100),
  /** Overrides the suite's date; absent in both = unknown. */
  released: releasedSchema.optional(),
  family: familySchema.optional(),
  expect: behavioursSchema.optional(),
})

/** One browser workflow. `digest` covers instruction, start, seed, budgets, faults, contract, files and the app itself. */
export const workflowSchema = z.object({
  kind: z.literal('browser'),
  taskId: slugSchema,
  digest: digestSchema,
  ...workflowFileSchema.omit({ category: true }).shape,
  category: z.string().min(1).max(60),
})
export type Workflow = z.infer<typeof workflowSchema>

/** The faults a workflow declares, in the order of their kinds. */
export function faultsOf({ faults }: Pick<Workflow, 'faults'>) {
  return BROWSER_FAULT_KINDS.filter((kind) => faults[kind] !== undefined)
}
