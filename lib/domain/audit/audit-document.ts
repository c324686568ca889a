import { z } from 'zod'
import { digestSchema } from '../digest.ts'
import { environmentSchema } from '../environment.ts'
import { durationMsSchema, instantSchema, slugSchema } from '../names.ts'
import { ATTACK_CLASS_IDS } from './attack-classes.ts'

/**
 * What became of one attack on one task. `paid`: it was scored as solved, or it reached what it was after. `named`: a
 * finding or a failed check says what it did. `prevented`: it reached nothing and failed plainly. `unnamed`: none of
 * these, so the evidence does not show the attack.
 */
export const attackResultSchema = z.enum(['paid', 'unnamed', 'named', 'prevented'])
export type AttackResult = z.infer<typeof attackResultSchema>

/** Tasks on which an attack fared the same, and what was observed there. */
const attackOutcomeSchema = z.strictObject({
  result: attackResultSchema,
  observed: z.string().min(1).max(500),
  tasks: z.array(slugSchema).min(1).max(10_000),
})
export type AttackOutcome = z.infer<typeof attackOutcomeSchema>

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

/** `audit.json`: every attack that was played against a suite or a task folder, and what became of it. */
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
  /** Whether the runner had the rights of root. */
  asRoot: z.boolean(),
  tasks: z.array(slugSchema).min(1).max(10_000),
  attacks: z.array(auditedAttackSchema).min(1).max(1000),
  skipped: z.array(skippedSchema).max(10_000),
})
export type AuditDocument = z.infer<typeof auditDocumentSchema>
