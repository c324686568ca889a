import { z } from 'zod'
import {
  type Digest,
  digestJson,
  digestSchema,
  listNames,
  type Subject,
  slugSchema,
  subjectKindSchema,
} from '../record/index.ts'
import { type Task, taskSchema } from './task.ts'
import { thresholdsSchema } from './thresholds.ts'

/** Defines together with the tasks what a pass means; raise it whenever verification changes. */
export const PROTOCOL_VERSION = 2

/** Of task sets that another program judged: our rules say nothing about them, so this one never changes. */
export const REPORTED_PROTOCOL_VERSION = 1

/** `reported`: another program's own tasks, known by their names from its results; nothing of it can be run here. */
export const suiteKindSchema = z.enum(['exercise', 'browser', 'repository', 'harbor', 'reported'])

/** A versioned set of tasks; its identity is the digest of its tasks and of the protocol version. */
export const suiteSchema = z.object({
  suiteId: slugSchema,
  kind: suiteKindSchema,
  title: z.string().min(1).max(200),
  description: z.string().max(2000),
  version: z.string().min(1).max(40),
  protocolVersion: z.number().int().positive(),
  /** Where an imported suite came from; null for our own. */
  source: z.object({ url: z.string().max(500), ref: z.string().max(200) }).nullable(),
  digest: digestSchema,
  /** Thresholds of the suite's own; each counts only where it is stricter than the policy's. Absent = none. */
  thresholds: thresholdsSchema.partial().optional(),
  /** The kinds of subjects it measures; absent = those that its own kind is for (`kindsOf`). */
  subjectKinds: z.array(subjectKindSchema).min(1).optional(),
  tasks: z.array(taskSchema).min(1),
})
export type Suite = z.infer<typeof suiteSchema>

/** The suite's identity: order of tasks, titles and descriptions do not matter; a changed test does. */
export function digestSuite(
  tasks: readonly Pick<Task, 'taskId' | 'digest'>[],
  protocolVersion: number = PROTOCOL_VERSION,
): Digest {
  const members = tasks.map(({ taskId, digest }) => [taskId, digest])
  members.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return digestJson({ protocolVersion, tasks: members })
}

const BY_KIND = {
  // A command of the user is an agent; controls test the harness anywhere.
  exercise: ['agent', 'control'],
  browser: ['library', 'control'],
  repository: ['agent', 'control'],
  harbor: ['agent', 'control'],
  reported: ['agent', 'library', 'control'],
} as const satisfies Record<Suite['kind'], readonly Subject['kind'][]>

/** The kinds of subjects that a suite measures: its own list, or what its kind is for. */
export function kindsOf({
  kind,
  subjectKinds,
}: Pick<Suite, 'kind' | 'subjectKinds'>): readonly Subject['kind'][] {
  return subjectKinds ?? BY_KIND[kind]
}

/** `agents and controls`. */
export function listKinds(kinds: readonly Subject['kind'][]): string {
  return listNames(kinds.map((kind) => (kind === 'library' ? 'libraries' : `${kind}s`)))
}
