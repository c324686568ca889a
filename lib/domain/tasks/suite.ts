import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from '../digest/index.ts'
import { type Subject, slugSchema, subjectKindSchema } from '../record/index.ts'
import { listNames } from '../text/index.ts'
import { kindTraits } from './kind-traits.ts'
import { type Task, taskSchema } from './task.ts'

/** Thresholds of the evidence rules. Shares are 0–1. */
export const thresholdsSchema = z.object({
  /** Scored episodes needed for an aggregate; at least 10. */
  aggregateEpisodes: z.number().int().positive(),
  /** Scored episodes needed for a claim or chart about one task; at least 20. */
  perTaskEpisodes: z.number().int().positive(),
  /** Maximum share of excluded attempts among the finished ones, including retried ones. */
  voidShare: z.number().min(0).max(1),
})
export type Thresholds = z.infer<typeof thresholdsSchema>

/** A suite with the thresholds in force on its board. */
export type SuiteThresholds = { suiteId: string; title: string; thresholds: Thresholds }

/** Together with the tasks, defines what a pass means; raise it whenever verification changes. */
export const PROTOCOL_VERSION = 2

/**
 * Protocol of task sets that another program judged; it never changes, since these verification rules do not apply to
 * them.
 */
export const REPORTED_PROTOCOL_VERSION = 1

/** A versioned set of tasks; its identity is the digest of its tasks and of the protocol version. */
export const suiteSchema = z.object({
  suiteId: slugSchema,
  /** `reported`, or the name of a folder in runner/kinds. */
  kind: slugSchema,
  title: z.string().min(1).max(200),
  description: z.string().max(2000),
  version: z.string().min(1).max(40),
  protocolVersion: z.number().int().positive(),
  /** Source of an imported suite; null for suites of this repository. */
  source: z.object({ url: z.string().max(500), ref: z.string().max(200) }).nullable(),
  digest: digestSchema,
  /** The suite's own thresholds; each applies only where it is stricter than the policy's. Absent = none. */
  thresholds: thresholdsSchema.partial().optional(),
  /** Kinds of subjects that it measures; absent = the default for its own kind (`kindsOf`). */
  subjectKinds: z.array(subjectKindSchema).min(1).optional(),
  tasks: z.array(taskSchema).min(1),
})
export type Suite = z.infer<typeof suiteSchema>

/** Digest that identifies the suite: order of tasks, titles and descriptions do not matter; a changed test does. */
export function digestSuite(
  tasks: readonly Pick<Task, 'taskId' | 'digest'>[],
  protocolVersion: number = PROTOCOL_VERSION,
): Digest {
  const members = tasks.map(({ taskId, digest }) => [taskId, digest])
  members.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return digestJson({ protocolVersion, tasks: members })
}

/** Returns the kinds of subjects that a suite measures: its own list, or the default for its kind. */
export function kindsOf({
  kind,
  subjectKinds,
}: Pick<Suite, 'kind' | 'subjectKinds'>): readonly Subject['kind'][] {
  return subjectKinds ?? kindTraits(kind).subjects
}

/** `agents and controls`. */
export function listKinds(kinds: readonly Subject['kind'][]): string {
  return listNames(kinds.map((kind) => (kind === 'library' ? 'libraries' : `${kind}s`)))
}
