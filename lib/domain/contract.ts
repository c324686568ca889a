import { z } from 'zod'

export const verdictSchema = z.enum(['pass', 'fail', 'inconclusive'])
export type Verdict = z.infer<typeof verdictSchema>

/** One assertion of a contract with what it wanted and saw; a tree, because contracts combine. */
export type Assertion = {
  kind: string
  label: string
  expected: string
  observed: string
  verdict: Verdict
  children: Assertion[]
}

export const assertionSchema: z.ZodType<Assertion> = z.object({
  kind: z.string().max(60),
  label: z.string().max(1000),
  expected: z.string().max(4000),
  observed: z.string().max(4000),
  verdict: verdictSchema,
  get children() {
    return z.array(assertionSchema).max(5000)
  },
})

/** What the contract said about the final state, and how much of it was really looked at. */
export const contractResultSchema = z.object({
  verdict: verdictSchema,
  assertions: z.array(assertionSchema),
  expectedTests: z.number().int().nonnegative().nullable(),
  executedTests: z.number().int().nonnegative().nullable(),
  passedTests: z.number().int().nonnegative().nullable(),
})
export type ContractResult = z.infer<typeof contractResultSchema>
