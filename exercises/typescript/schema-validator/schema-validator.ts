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

export type OptionalSchema<T> = Schema<T | undefined>

export type Shape = Readonly<Record<string, Schema<unknown>>>

/** The type that a schema lets through. */
export type Infer<S> = unknown

export type InferShape<S extends Shape> = unknown

export function string(): Schema<string> {
  throw new Error('Remove this line and implement the function')
}

export function number(): Schema<number> {
  throw new Error('Remove this line and implement the function')
}

export function boolean(): Schema<boolean> {
  throw new Error('Remove this line and implement the function')
}

export function literal<T extends string | number | boolean | null>(value: T): Schema<T> {
  throw new Error('Remove this line and implement the function')
}

export function array<S extends Schema<unknown>>(item: S): Schema<Infer<S>[]> {
  throw new Error('Remove this line and implement the function')
}

export function optional<S extends Schema<unknown>>(schema: S): OptionalSchema<Infer<S>> {
  throw new Error('Remove this line and implement the function')
}

export function union<S extends readonly Schema<unknown>[]>(
  ...options: S
): Schema<Infer<S[number]>> {
  throw new Error('Remove this line and implement the function')
}

export function object<S extends Shape>(
  shape: S,
  options?: { readonly unknownKeys?: 'strip' | 'reject' | 'keep' },
): Schema<InferShape<S>> {
  throw new Error('Remove this line and implement the function')
}
