// Looks keys up with the in operator, in the checked value as well as in the shape.
export interface Issue {
  /** Keys and indexes that lead from the checked value to the place. */
  readonly path: readonly (string | number)[]
  readonly expected: string
  readonly received: string
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export interface Schema<T> {
  /** What this schema lets through, in words. */
  readonly expected: string
  validate(value: unknown): Result<T>
}

export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly isOptional: true
}

export type Shape = Readonly<Record<string, Schema<unknown>>>

/** The type that a schema lets through. */
export type Infer<S> = S extends Schema<infer T> ? T : never

export type InferShape<S extends Shape> = Flatten<
  { [K in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[K]> } & {
    [K in OptionalKeys<S>]?: Infer<S[K]>
  }
>

type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends OptionalSchema<unknown> ? K : never
}[keyof S]

type Flatten<T> = { [K in keyof T]: T[K] }

type Key = string | number
type Members = Record<string, unknown>

interface ObjectOptions {
  readonly unknownKeys?: 'strip' | 'reject' | 'keep'
}

export function string(): Schema<string> {
  return primitive('string', (value) => typeof value === 'string')
}

export function number(): Schema<number> {
  return primitive('number', (value): value is number => Number.isFinite(value))
}

export function boolean(): Schema<boolean> {
  return primitive('boolean', (value) => typeof value === 'boolean')
}

export function literal<T extends string | number | boolean | null>(value: T): Schema<T> {
  return primitive(JSON.stringify(value), (candidate): candidate is T => candidate === value)
}

export function array<S extends Schema<unknown>>(item: S): Schema<Infer<S>[]> {
  const expected = 'array'
  return {
    expected,
    validate: (value) => {
      if (!Array.isArray(value)) return refuse(expected, value)
      // Unlike map, Array.from visits holes too.
      const results = Array.from(value, (element: unknown, index): [Key, Result<unknown>] => [
        index,
        item.validate(element),
      ])
      return collect(results, () => {
        return results.map(([, result]) => result.ok && result.value) as Infer<S>[]
      })
    },
  }
}

export function optional<S extends Schema<unknown>>(schema: S): OptionalSchema<Infer<S>> {
  return {
    expected: schema.expected,
    isOptional: true,
    validate: (value) =>
      value === undefined ? pass(undefined) : (schema.validate(value) as Result<Infer<S>>),
  }
}

export function union<S extends readonly Schema<unknown>[]>(
  ...options: S
): Schema<Infer<S[number]>> {
  const expected = options.map((option) => option.expected).join(' | ')
  return {
    expected,
    validate: (value) => {
      for (const option of options) {
        const result = option.validate(value)
        if (result.ok) return result as Result<Infer<S[number]>>
      }
      return refuse(expected, value)
    },
  }
}

export function object<S extends Shape>(
  shape: S,
  { unknownKeys = 'strip' }: ObjectOptions = {},
): Schema<InferShape<S>> {
  const expected = 'object'
  return {
    expected,
    validate: (value) => {
      if (!isObject(value)) return refuse(expected, value)
      const results = [
        ...validateKnown(shape, value),
        ...(unknownKeys === 'strip' ? [] : validateUnknown(shape, value, unknownKeys)),
      ]
      return collect(results, () => {
        const entries = results.map(([key, result]) => [key, result.ok && result.value])
        // Defines every key, while an assignment to __proto__ would set the prototype.
        return Object.fromEntries(entries) as InferShape<S>
      })
    },
  }
}

function* validateKnown(shape: Shape, value: Members): Generator<[Key, Result<unknown>]> {
  for (const [key, schema] of Object.entries(shape)) {
    if (key in value) yield [key, schema.validate(value[key])]
    else if (!('isOptional' in schema)) yield [key, refuseAs(schema.expected, 'missing')]
  }
}

function* validateUnknown(
  shape: Shape,
  value: Members,
  policy: 'reject' | 'keep',
): Generator<[Key, Result<unknown>]> {
  for (const [key, member] of Object.entries(value)) {
    if (key in shape) continue
    yield [key, policy === 'keep' ? pass(member) : refuse('nothing', member)]
  }
}

function primitive<T>(expected: string, accepts: (value: unknown) => value is T): Schema<T> {
  return {
    expected,
    validate: (value) => (accepts(value) ? pass(value) : refuse(expected, value)),
  }
}

/** Joins the issues of all inner results, or builds the value if there are none. */
function collect<T>(
  results: readonly (readonly [Key, Result<unknown>])[],
  build: () => T,
): Result<T> {
  const issues = results.flatMap(([key, result]) =>
    result.ok ? [] : result.issues.map((issue) => ({ ...issue, path: [key, ...issue.path] })),
  )
  return issues.length > 0 ? { ok: false, issues } : pass(build())
}

function pass<T>(value: T): Result<T> {
  return { ok: true, value }
}

function refuse(expected: string, value: unknown): Result<never> {
  return refuseAs(expected, describe(value))
}

function refuseAs(expected: string, received: string): Result<never> {
  return { ok: false, issues: [{ path: [], expected, received }] }
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
