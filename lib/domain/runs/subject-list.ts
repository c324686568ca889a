import { z } from 'zod'
import { expectedOf, PIN_LIST, type PinName, readSetting } from '../settings/index.ts'
import { formatIssues, type ParseResult } from '../text/index.ts'

/** A benchmark request, with the names of the workflow's inputs. */
const entrySchema = z.strictObject({
  ...pinShape(),
  subject: word(),
  suite: word(),
  model: word().optional(),
  provider: word().optional(),
  tasks: z.array(word()).min(1).optional(),
  repetitions: count(1000).optional(),
  shards: count(256).optional(),
  isolation: z.enum(['local', 'bubblewrap', 'docker']).optional(),
  'spend-cap': dollars().optional(),
  /** Frequency of the measurement; the weekly retest includes all. */
  every: z.enum(['day', 'week']),
})
type Entry = z.infer<typeof entrySchema>

const listSchema = z.strictObject({
  schemaVersion: z.literal(1),
  subjects: z.array(entrySchema).min(1).max(256),
})

export type Cadence = Entry['every']

/** One job of a matrix: every input as text, empty if not given. */
export type ListedSubject = Record<Exclude<keyof Entry, 'every' | PinName> | 'pins', string>

/**
 * Returns the subjects that are due: the daily ones, or all. Any mistake refuses the whole list, with a path for each.
 */
export function parseSubjectList(input: unknown, every: Cadence): ParseResult<ListedSubject[]> {
  const parsed = listSchema.safeParse(input)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const due = parsed.data.subjects.filter((entry) => every === 'week' || entry.every === 'day')
  return { ok: true, value: due.map(asInputs) }
}

function asInputs(entry: Entry): ListedSubject {
  const pins = PIN_LIST.flatMap(({ name }) =>
    entry[name] === undefined ? [] : [`${name}=${entry[name]}`],
  )
  return {
    subject: entry.subject,
    suite: entry.suite,
    model: entry.model ?? '',
    provider: entry.provider ?? '',
    tasks: (entry.tasks ?? []).join(','),
    repetitions: asText(entry.repetitions),
    shards: asText(entry.shards),
    isolation: entry.isolation ?? '',
    pins: pins.join(','),
    'spend-cap': asText(entry['spend-cap']),
  }
}

function asText(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** A name that is safe in shells, tables and option parsers. */
function word() {
  return z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/, 'expected letters, digits and . _ : @ + / -')
}

function count(max: number) {
  return z.number().int().min(1).max(max)
}

function dollars() {
  return z.number().positive().max(1e6)
}

/**
 * Values that the command line takes as options, as a YAML number or word. A plan receives them together, under one
 * input.
 */
function pinShape() {
  const entries = PIN_LIST.map((setting) => {
    const isOne = (value: unknown) => {
      const read = readSetting(setting, String(value))
      return read === null || typeof read === typeof value
    }
    const value = z.union([z.number(), z.string()])
    return [
      setting.name,
      value.refine(isOne, `expected ${expectedOf(setting)}`).optional(),
    ] as const
  })
  return Object.fromEntries(entries) as Record<PinName, (typeof entries)[number][1]>
}
