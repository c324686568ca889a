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

/** Marks the schemas whose key may be absent from an object. */
const mayBeAbsent = Symbol('mayBeAbsent')

export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly [mayBeAbsent]: true
}

export type Shape = Readonly<Record<string, Schema<unknown>>>

/** The type that a schema lets through. */
export type Infer<S> = S extends Schema<infer T> ? T : never

type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends OptionalSchema<unknown> ? K : never
}[keyof S]

/** Turns an intersection into one plain object type. */
type Flat<T> = { [K in keyof T]: T[K] }

export type InferShape<S extends Shape> = Flat<
  { -readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[K]> } & {
    -readonly [K in OptionalKeys<S>]?: Infer<S[K]>
  }
>

type UnknownKeys = 'strip' | 'reject' | 'keep'

// Results

const pass = <T>(value: T): Result<T> => ({ ok: true, value })

const fail = (issues: readonly Issue[]): Result<never> => ({ ok: false, issues })

const issueHere = (expected: string, received: string): Issue => ({ path: [], expected, received })

const below = (
  key: string | number,
  { path, expected, received }: Issue,
): Issue => ({ path: [key, ...path], expected, received })

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value
}

/** The schema of everything that `accepts` says yes to, taken over as it is. */
function simple<T>(expected: string, accepts: (value: unknown) => value is T): Schema<T> {
  return {
    expected,
    validate: (value) =>
      accepts(value) ? pass(value) : fail([issueHere(expected, describe(value))]),
  }
}

/** What has become of one element or key: the issues are those below the place itself. */
type Part = { readonly key: string | number; readonly result: Result<unknown> }

const issuesOf = (parts: readonly Part[]): Issue[] =>
  parts.flatMap(({ key, result }) =>
    result.ok ? [] : result.issues.map((issue) => below(key, issue)),
  )

// Schemas

export function string(): Schema<string> {
  return simple('string', (value) => typeof value === 'string')
}

export function number(): Schema<number> {
  return simple('number', (value): value is number => Number.isFinite(value))
}

export function boolean(): Schema<boolean> {
  return simple('boolean', (value) => typeof value === 'boolean')
}

export function literal<T extends string | number | boolean | null>(value: T): Schema<T> {
  const allowed: readonly unknown[] = [value]
  // Like `===`, but `NaN` is itself.
  return simple(JSON.stringify(value), (other): other is T => allowed.includes(other))
}

export function array<S extends Schema<unknown>>(item: S): Schema<Infer<S>[]> {
  const expected = 'array'
  return {
    expected,
    validate(value) {
      if (!Array.isArray(value)) return fail([issueHere(expected, describe(value))])
      const elements: readonly unknown[] = value
      const parts = Array.from({ length: elements.length }, (_, key): Part => ({
        key,
        result: item.validate(Object.hasOwn(elements, key) ? elements[key] : undefined),
      }))
      const issues = issuesOf(parts)
      return issues.length > 0
        ? fail(issues)
        : pass(parts.flatMap(({ result }) => (result.ok ? [result.value as Infer<S>] : [])))
    },
  }
}

export function optional<S extends Schema<unknown>>(schema: S): OptionalSchema<Infer<S>> {
  return {
    [mayBeAbsent]: true,
    expected: schema.expected,
    validate: (value) =>
      value === undefined ? pass(undefined) : (schema.validate(value) as Result<Infer<S>>),
  }
}

export function union<S extends readonly Schema<unknown>[]>(
  ...options: S
): Schema<Infer<S[number]>> {
  const expected = options.map((option) => option.expected).join(' | ')
  const firstPass = (value: unknown, index: number): Result<unknown> => {
    if (index === options.length) return fail([issueHere(expected, describe(value))])
    const result = options[index].validate(value)
    return result.ok ? result : firstPass(value, index + 1)
  }
  return {
    expected,
    validate: (value) => firstPass(value, 0) as Result<Infer<S[number]>>,
  }
}

/** For a key that the shape does not know: nothing, if the key is to be left out. */
const POLICIES: Readonly<Record<UnknownKeys, (value: unknown) => Result<unknown> | undefined>> = {
  strip: () => undefined,
  reject: (value) => fail([issueHere('nothing', describe(value))]),
  keep: pass,
}

export function object<S extends Shape>(
  shape: S,
  options: { readonly unknownKeys?: UnknownKeys } = {},
): Schema<InferShape<S>> {
  const expected = 'object'
  const fields: readonly (readonly [key: string, schema: Schema<unknown>])[] =
    Object.entries(shape)
  const known = new Set(fields.map(([key]) => key))
  const policy = POLICIES[options.unknownKeys ?? 'strip']

  const checkField = (
    source: Readonly<Record<string, unknown>>,
    key: string,
    schema: Schema<unknown>,
  ): Part[] => {
    if (Object.hasOwn(source, key)) return [{ key, result: schema.validate(source[key]) }]
    if (mayBeAbsent in schema) return []
    return [{ key, result: fail([issueHere(schema.expected, 'missing')]) }]
  }

  const checkUnknown = (source: Readonly<Record<string, unknown>>, key: string): Part[] => {
    const result = policy(source[key])
    return result === undefined ? [] : [{ key, result }]
  }

  return {
    expected,
    validate(value) {
      if (!isObject(value)) return fail([issueHere(expected, describe(value))])
      const parts = [
        ...fields.flatMap(([key, schema]) => checkField(value, key, schema)),
        ...Object.keys(value)
          .filter((key) => !known.has(key))
          .flatMap((key) => checkUnknown(value, key)),
      ]
      const issues = issuesOf(parts)
      return issues.length > 0
        ? fail(issues)
        : // `fromEntries` defines own properties, also one called `__proto__`.
          pass(
            Object.fromEntries(
              parts.flatMap(({ key, result }) => (result.ok ? [[key, result.value]] : [])),
            ) as InferShape<S>,
          )
    },
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
