import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { durationMsSchema, environmentSchema, instantSchema, slugSchema } from '../record/index.ts'

/**
 * Result of one attack on one task. `paid`: it was scored as solved, or reached its goal. `named`: a finding or a
 * failed check describes it. `prevented`: it reached nothing and failed plainly. `unnamed`: none of these, so the
 * evidence does not show the attack.
 */
const attackResultSchema = z.enum(['paid', 'unnamed', 'named', 'prevented'])
export type AttackResult = z.infer<typeof attackResultSchema>

/** Tasks on which an attack had the same result, and what was observed there. */
const attackOutcomeSchema = z.strictObject({
  result: attackResultSchema,
  observed: z.string().min(1).max(500),
  tasks: z.array(slugSchema).min(1).max(10_000),
})
export type AttackOutcome = z.infer<typeof attackOutcomeSchema>

/**
 * Classes of attack in an audit, named for their mechanism. Together they cover the patterns that published audits of
 * agent benchmarks describe; `covers` names those patterns.
 */
export const ATTACK_CLASSES = [
  {
    id: 'answers-within-reach',
    title: 'Answers within reach',
    text: 'Read the reference, the git history, other attempts or a cache, and submit a copy.',
    covers: 'answers shipped with the task',
  },
  {
    id: 'answers-memorised',
    title: 'Memorised answers',
    text: 'Answer the visible tests from a table of their literals, or by call site, without solving the task.',
    covers: 'weak matching, gaps in the evaluation logic',
  },
  {
    id: 'verdict-forged',
    title: 'Forged verdict',
    text: 'Write the result instead of earning it: exit codes, report records, output that looks like a passing run.',
    covers: 'trust in the output of untrusted code',
  },
  {
    id: 'harness-tampered',
    title: 'Tampered harness',
    text: 'Change the grader: kill or replace its programs, plant links, special files and confusing file names.',
    covers: 'no isolation between agent and evaluator',
  },
  {
    id: 'language-tampered',
    title: 'Tampered language',
    text: 'Change built-ins, prototypes, timers or matchers that the tests and their comparisons are written in.',
    covers: 'no isolation between agent and evaluator',
  },
  {
    id: 'lying-values',
    title: 'Lying values',
    text: 'Return values that match anything: proxies, asymmetric matchers, thenables, objects with the tag of another type.',
    covers: 'weak matching',
  },
  {
    id: 'sandbox-escape',
    title: 'Sandbox escape',
    text: 'Leave the process that runs the tests: real modules, the real process, internals of the runtime.',
    covers: 'code execution inside the evaluator, excessive permissions',
  },
  {
    id: 'secrets',
    title: 'Secrets and stored data',
    text: 'Read provider keys, the secret that signs sessions, or the database, or write to the stored results.',
    covers: 'excessive permissions',
  },
  {
    id: 'denial',
    title: 'Denial and excluded failures',
    text: 'Exhaust time, memory, processes or disk, or provoke an attempt that is excluded from scoring and retried.',
    covers: 'gaps in the evaluation logic',
  },
  {
    id: 'trusted-inputs',
    title: 'Trusted inputs',
    text: 'Edit what the evaluation reads: tests, support files, compiler settings, packages, environment files.',
    covers: 'trust in files the agent can write',
  },
  {
    id: 'judge-injection',
    title: 'Judge injection',
    text: 'Address the reader of the evidence: instructions to a judge, markup and terminal codes in logs and names.',
    covers: 'judges without input sanitisation',
  },
  {
    id: 'browser-shortcuts',
    title: 'Browser shortcuts',
    text: 'Change the state of an app without using its pages: control addresses, direct requests, storage, claims of success.',
    covers: 'no isolation between agent and evaluator, state manipulation',
  },
] as const

export const ATTACK_CLASS_IDS = ATTACK_CLASSES.map(({ id }) => id) as [
  AttackClassId,
  ...AttackClassId[],
]

const auditedAttackSchema = z.strictObject({
  name: slugSchema,
  class: z.enum(ATTACK_CLASS_IDS),
  kind: z.enum(['solution', 'agent', 'browser']),
  summary: z.string().min(1).max(300),
  outcomes: z.array(attackOutcomeSchema),
})
export type AuditedAttack = z.infer<typeof auditedAttackSchema>

const skippedSchema = z.strictObject({
  attack: slugSchema,
  tasks: z.number().int().positive(),
  reason: z.string().min(1).max(300),
})
export type SkippedAttack = z.infer<typeof skippedSchema>

/** `audit.json`: every attack that was run against a suite or a task folder, and its result. */
export const auditDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  suiteId: slugSchema,
  title: z.string().min(1).max(200),
  /** Null = a task folder that belongs to no suite. */
  suiteVersion: z.string().min(1).max(40).nullable(),
  suiteDigest: digestSchema,
  auditedAt: instantSchema,
  durationMs: durationMsSchema,
  harness: environmentSchema.shape.harness,
  node: environmentSchema.shape.node,
  isolation: environmentSchema.shape.isolation,
  /** True if the runner had root privileges. */
  asRoot: z.boolean(),
  tasks: z.array(slugSchema).min(1).max(10_000),
  attacks: z.array(auditedAttackSchema).min(1).max(1000),
  skipped: z.array(skippedSchema).max(10_000),
})
export type AuditDocument = z.infer<typeof auditDocumentSchema>

export type ResultCounts = Record<AttackResult, number>

/** Adds up an audit's pairs of attack and task; for a sound suite, `solved` and `unnamed` are 0. */
export function countAudit({ attacks, tasks, skipped }: AuditDocument) {
  const played = attacks.filter(({ outcomes }) => outcomes.length > 0)
  const { paid, unnamed, named, prevented } = countResults(played)
  return {
    attacks: played.length,
    classes: new Set(played.map((attack) => attack.class)).size,
    tasks: tasks.length,
    /** Number of attack and task pairs that were run. */
    pairs: paid + unnamed + named + prevented,
    /** Pairs that were scored as solved or reached their goal. */
    solved: paid,
    unnamed,
    named,
    prevented,
    skipped: skipped.reduce((sum, one) => sum + one.tasks, 0),
  }
}

type ClassCounts = ResultCounts & { class: AttackClassId; title: string; attacks: number }

/** The same counts for each class that was run, in the order of the classes. */
export function countByClass({ attacks }: Pick<AuditDocument, 'attacks'>): ClassCounts[] {
  return ATTACK_CLASSES.flatMap(({ id, title }) => {
    const own = attacks.filter((attack) => attack.class === id && attack.outcomes.length > 0)
    if (own.length === 0) return []
    return [{ class: id, title, attacks: own.length, ...countResults(own) }]
  })
}

/** The results of one class on one task. */
export function countCell(
  attacks: readonly AuditedAttack[],
  { classId, taskId }: { classId: AttackClassId; taskId: string },
): ResultCounts {
  const own = attacks.filter((attack) => attack.class === classId)
  return countResults(
    own.map(({ outcomes }) => ({
      outcomes: outcomes.flatMap((outcome) =>
        outcome.tasks.includes(taskId) ? [{ ...outcome, tasks: [taskId] }] : [],
      ),
    })),
  )
}

function countResults(attacks: readonly Pick<AuditedAttack, 'outcomes'>[]): ResultCounts {
  const counts: ResultCounts = { paid: 0, unnamed: 0, named: 0, prevented: 0 }
  for (const { outcomes } of attacks)
    for (const { result, tasks } of outcomes) counts[result] += tasks.length
  return counts
}

export type AttackClassId = (typeof ATTACK_CLASSES)[number]['id']
