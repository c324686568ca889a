import { z } from 'zod'

const text = z.string().min(1).max(2000)
const label = { label: z.string().min(1).max(300).optional() }
const count = z.number().int().nonnegative().max(100_000)
/** An exact count, or inclusive bounds. */
const howMany = z.union([
  count,
  z.strictObject({ least: count.optional(), most: count.optional() }),
])
/** Expected text: all of it (white space collapsed), or a part. */
const words = z.union([z.strictObject({ is: z.string() }), z.strictObject({ contains: text })])

/**
 * One assertion about the final state, as a workflow's `task.json` states it. `state` checks the state of the app's
 * server and decides; the others corroborate. Each results in pass, fail or inconclusive; `not` leaves inconclusive
 * unchanged.
 */
export type AssertionSpec =
  | z.infer<(typeof LEAVES)[number]>
  | { kind: 'all' | 'any'; label?: string | undefined; of: AssertionSpec[] }
  | { kind: 'not'; label?: string | undefined; of: AssertionSpec }

const LEAVES = [
  z.strictObject({
    kind: z.literal('state'),
    ...label,
    /** Path in the app's state: `orders`, `orders[0].lines`; empty = the whole state. */
    path: z.string().max(300),
    /** The expected value, complete. */
    equals: z.unknown().optional(),
    /** An object that has at least these members, or a list where exactly one element has them. */
    matches: z.unknown().optional(),
    /** A list with exactly these elements, in any order, each given by its relevant members. */
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
  /** Requests received by the app's server: method and path, `*` for one segment. */
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
  z.discriminatedUnion('kind', [
    ...LEAVES,
    z.strictObject({
      kind: z.enum(COMBINING),
      ...label,
      of: z.array(assertionSpecSchema).min(1).max(100),
    }),
    z.strictObject({ kind: z.literal('not'), ...label, of: assertionSpecSchema }),
  ]),
)

/** Every kind of assertion, in the order of their explanation. */
export const ASSERTION_KINDS: readonly AssertionSpec['kind'][] = [
  ...LEAVES.map(({ shape }) => shape.kind.value),
  ...COMBINING,
  'not',
]

/** An assertion in sentences; members of a group are nested. */
export type SaidAssertion = {
  kind: AssertionSpec['kind']
  /** Description by the author, if any. */
  label: string | null
  sentence: string
  parts: SaidAssertion[]
}

type Leaf = Exclude<AssertionSpec, { kind: 'all' | 'any' | 'not' }>
type Of<K extends Leaf['kind']> = Extract<Leaf, { kind: K }>
type HowMany = Of<'count'>['count']
type Words = Of<'text'>['words']

/** Describes one assertion of a workflow's success criteria in a sentence. */
export function formatAssertion(spec: AssertionSpec): SaidAssertion {
  const label = spec.label ?? null
  switch (spec.kind) {
    case 'all':
    case 'any': {
      const sentence =
        spec.kind === 'all'
          ? 'All of the following are true.'
          : 'At least one of the following is true.'
      return { kind: spec.kind, label, sentence, parts: spec.of.map(formatAssertion) }
    }
    case 'not': {
      const parts = [formatAssertion(spec.of)]
      return { kind: 'not', label, sentence: 'The following is not true.', parts }
    }
    default:
      return { kind: spec.kind, label, sentence: describeLeaf(spec), parts: [] }
  }
}

function describeLeaf(spec: Leaf): string {
  switch (spec.kind) {
    case 'state':
      return describeState(spec)
    case 'url':
      return describeUrl(spec)
    case 'text':
      return `The text of ${spec.css} ${describeWords(spec.words)}.`
    case 'count':
      return `The page shows ${describeHowMany(spec.count)} of ${spec.css}.`
    case 'attribute':
      return `The attribute ${spec.name} of ${spec.css} ${describeWords(spec.words)}.`
    case 'network':
      return describeNetwork(spec)
    case 'download':
      return `A file${spec.name ? ` named ${spec.name}` : ''} with digest ${spec.digest} was downloaded.`
    case 'storage':
      return describeStorage(spec)
    case 'no-dialog':
      return 'No dialog is open.'
  }
}

function describeState({ path, equals, matches, exactly, count }: Of<'state'>): string {
  const claims = [
    equals === undefined ? null : `is ${json(equals)}`,
    matches === undefined ? null : `includes ${json(matches)}`,
    exactly === undefined ? null : describeExactly(exactly),
    count === undefined ? null : `contains ${describeHowMany(count)}`,
  ].filter((claim) => claim !== null)
  const what = path === '' ? 'The app state' : `In the app state, ${path}`
  return `${what} ${claims.length > 0 ? claims.join(' and ') : 'exists'}.`
}

function describeExactly(elements: readonly unknown[]): string {
  if (elements.length === 0) return 'is empty'
  return `contains exactly ${elements.map(json).join(', ')}${elements.length > 1 ? ', in any order' : ''}`
}

function describeUrl({ path, query }: Of<'url'>): string {
  const claims = [
    path === undefined ? null : `the path ${path}`,
    ...Object.entries(query ?? {}).map(([key, value]) => `${key}=${value} in its query`),
  ].filter((claim) => claim !== null)
  return `The page URL has ${claims.join(' and ') || 'the app’s origin'}.`
}

function describeNetwork({ request, count, status }: Of<'network'>): string {
  const answered = status === undefined ? '' : `, with response status ${status}`
  return `The server received ${request} ${describeTimes(count)}${answered}.`
}

function describeStorage({ in: area, key, words, absent }: Of<'storage'>): string {
  const what = area === 'cookie' ? `The cookie ${key}` : `${key} in the page’s ${area} storage`
  if (absent) return `${what} does not exist.`
  return `${what} ${words ? describeWords(words) : 'exists'}.`
}

function describeWords(words: Words): string {
  return 'is' in words ? `is “${words.is}”` : `contains “${words.contains}”`
}

function describeTimes(count: HowMany): string {
  const bounds = describeBounds(count)
  return `${bounds} ${bounds.endsWith(' 1') ? 'time' : 'times'}`
}

function describeHowMany(count: HowMany): string {
  const bounds = describeBounds(count)
  return `${bounds} ${bounds.endsWith(' 1') ? 'element' : 'elements'}`
}

function describeBounds(count: HowMany): string {
  if (typeof count === 'number') return `exactly ${count}`
  const { least, most } = count
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  if (most !== undefined) return `at most ${most}`
  return `at least ${least ?? 0}`
}

/** Formats JSON on one line, with a space after each comma and colon so that it can wrap. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${json(member)}`,
  )
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}
