import { z } from 'zod'

const text = z.string().min(1).max(2000)
const label = { label: z.string().min(1).max(300).optional() }
const count = z.number().int().nonnegative().max(100_000)
/** How many: an exact number, or bounds that are both allowed. */
const howMany = z.union([
  count,
  z.strictObject({ least: count.optional(), most: count.optional() }),
])
/** Words on a page or in a value: the whole of it (white space collapsed), or a part. */
const words = z.union([z.strictObject({ is: z.string() }), z.strictObject({ contains: text })])

/**
 * One assertion about the final state, as a workflow's `task.json` writes it. `state` is what the app's server holds
 * and decides; the others corroborate. Each answers pass, fail or inconclusive; `not` leaves inconclusive as it is.
 */
export type AssertionSpec =
  | z.infer<(typeof LEAVES)[number]>
  | { kind: 'all' | 'any'; label?: string | undefined; of: AssertionSpec[] }
  | { kind: 'not'; label?: string | undefined; of: AssertionSpec }

const LEAVES = [
  z.strictObject({
    kind: z.literal('state'),
    ...label,
    /** Where in the app's state: `orders`, `orders[0].lines`; empty = all of it. */
    path: z.string().max(300),
    /** The value is this, whole. */
    equals: z.unknown().optional(),
    /** An object that has at least these members, or a list where exactly one element has them. */
    matches: z.unknown().optional(),
    /** A list that holds exactly these elements, in any order, each given by the members that matter. */
    exactly: z.array(z.unknown()).optional(),
    /** A list, text or object of this size. */
    count: howMany.optional(),
  }),
  z.strictObject({
    kind: z.literal('url'),
    ...label,
    path: text.optional(),
    query: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('text'), ...label, css: text, words }),
  z.strictObject({ kind: z.literal('count'), ...label, css: text, count: howMany }),
  z.strictObject({ kind: z.literal('attribute'), ...label, css: text, name: text, words }),
  /** Requests that reached the app's server: method and path, `*` for one part of it. */
  z.strictObject({
    kind: z.literal('network'),
    ...label,
    request: text,
    count: howMany,
    status: z.number().int().optional(),
  }),
  z.strictObject({
    kind: z.literal('download'),
    ...label,
    name: text.optional(),
    digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  }),
  z.strictObject({
    kind: z.literal('storage'),
    ...label,
    in: z.enum(['local', 'session', 'cookie']),
    key: text,
    words: words.optional(),
    absent: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.literal('no-dialog'), ...label }),
] as const

const COMBINING = ['all', 'any'] as const

export const assertionSpecSchema: z.ZodType<AssertionSpec> = z.lazy(() =>
  z.union([
    ...LEAVES,
    z.strictObject({
      kind: z.enum(COMBINING),
      ...label,
      of: z.array(assertionSpecSchema).min(1).max(100),
    }),
    z.strictObject({ kind: z.literal('not'), ...label, of: assertionSpecSchema }),
  ]),
)

/** Every kind of assertion, in the order in which they are explained. */
export const ASSERTION_KINDS: readonly AssertionSpec['kind'][] = [
  ...LEAVES.map(({ shape }) => shape.kind.value),
  ...COMBINING,
  'not',
]
