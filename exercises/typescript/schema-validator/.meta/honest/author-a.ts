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

const isOptional: unique symbol = Symbol('optional')

export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly [isOptional]: true
}

export type Shape = Readonly<Record<string, Schema<unknown>>>

/** The type that a schema lets through. */
export type Infer<S> = S extends Schema<infer T> ? T : never

type OptionalKeys<S extends Shape> = {
  [Key in keyof S]: S[Key] extends OptionalSchema<unknown> ? Key : never
}[keyof S]

type Flatten<T> = { [Key in keyof T]: T[Key] }

export type InferShape<S extends Shape> = Flatten<
  { -readonly [Key in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[Key]> } & {
    -readonly [Key in OptionalKeys<S>]?: Infer<S[Key]>
  }
>

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value
}

function pass<T>(value: T): Result<T> {
  return { ok: true, value }
}

function refuse(expected: string, value: unknown): Result<never> {
  return { ok: false, issues: [{ path: [], expected, received: describe(value) }] }
}

function below(key: string | number, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }))
}

function simple<T>(expected: string, accepts: (value: unknown) => value is T): Schema<T> {
  return {
    expected,
    validate: (value) => (accepts(value) ? pass(value) : refuse(expected, value)),
  }
}

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
  return simple(
    JSON.stringify(value),
    (candidate): candidate is T => candidate === value || Object.is(candidate, value),
  )
}

export function array<S extends Schema<unknown>>(item: S): Schema<Infer<S>[]> {
  const expected = 'array'
  return {
    expected,
    validate(value) {
      if (!Array.isArray(value)) return refuse(expected, value)
      const elements: Infer<S>[] = []
      const issues: Issue[] = []
      for (let index = 0; index < value.length; index++) {
        const result = item.validate(value[index])
        if (result.ok) elements.push(result.value as Infer<S>)
        else issues.push(...below(index, result.issues))
      }
      return issues.length > 0 ? { ok: false, issues } : pass(elements)
    },
  }
}

export function optional<S extends Schema<unknown>>(schema: S): OptionalSchema<Infer<S>> {
  return {
    [isOptional]: true,
    expected: schema.expected,
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
    validate(value) {
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
  options: { readonly unknownKeys?: 'strip' | 'reject' | 'keep' } = {},
): Schema<InferShape<S>> {
  const expected = 'object'
  const { unknownKeys = 'strip' } = options
  const schemas = new Map<string, Schema<unknown>>(Object.entries(shape))

  return {
    expected,
    validate(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return refuse(expected, value)
      }
      const source = value as Readonly<Record<string, unknown>>
      const entries: [key: string, value: unknown][] = []
      const issues: Issue[] = []

      for (const [key, schema] of schemas) {
        if (Object.hasOwn(source, key)) {
          const result = schema.validate(source[key])
          if (result.ok) entries.push([key, result.value])
          else issues.push(...below(key, result.issues))
        } else if (!(isOptional in schema)) {
          issues.push({ path: [key], expected: schema.expected, received: 'missing' })
        }
      }

      if (unknownKeys !== 'strip') {
        for (const key of Object.keys(source)) {
          if (schemas.has(key)) continue
          if (unknownKeys === 'keep') entries.push([key, source[key]])
          else issues.push(...below(key, [{ path: [], expected: 'nothing', received: describe(source[key]) }]))
        }
      }

      if (issues.length > 0) return { ok: false, issues }
      // Object.fromEntries makes own properties even of keys such as __proto__.
      return pass(Object.fromEntries(entries) as InferShape<S>)
    },
  }
}
