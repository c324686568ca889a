import { z } from 'zod'

/** Why an episode was not solved, in the words of evidence.md. */
export const failureCategorySchema = z.enum([
  'no-change',
  'type-error',
  'test-failure',
  'partial',
  'tampering',
  'planning',
  'navigation',
  'grounding',
  'extraction',
  'form-entry',
  'auth-state',
  'timeout',
  'budget',
  'refusal',
  'crash',
  'provider',
  'infrastructure',
  'harness',
  'cancelled',
])
export type FailureCategory = z.infer<typeof failureCategorySchema>
