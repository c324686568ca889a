import { z } from 'zod'
import {
  LIMIT_LIST,
  type LimitField,
  type SettingValues,
  type TextKind,
  type TextValue,
  withFallbacks,
} from '../record/index.ts'

/** A form field of a kind: its value, or a message about what is allowed. */
export function typed<T extends TextValue>(what: string, kind: TextKind<T>) {
  return z.string().transform((text, context) => {
    const value = kind.read(text)
    if (value !== null) return value
    const message = `${what} must be ${kind.expected}, not “${text}”.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** The same field where it may be left empty: null. */
export function orNull<T>(schema: z.ZodType<T, string>) {
  return z.union([z.literal('').transform(() => null), schema], { error: innerMessage })
}

/** Shows the error of the inner schema, because the message of a union is not helpful. */
function innerMessage(issue: z.core.$ZodRawIssue): string {
  const errors = (issue as { errors?: z.core.$ZodIssue[][] }).errors ?? []
  return errors.flat().at(-1)?.message ?? 'Invalid value.'
}

/** The limits of an episode as in every form, by field. */
export function limitShape() {
  const entries = LIMIT_LIST.map(({ field, kind, fallback }) => {
    const schema = typed(`${field.charAt(0).toUpperCase()}${field.slice(1)}`, kind)
    return [field, fallback === null ? orNull(schema) : schema] as const
  })
  return Object.fromEntries(entries) as Record<LimitField, (typeof entries)[number][1]>
}

/** The limits of an episode by the keys of a plan, out of a form's fields. */
export function limitsOf(fields: Readonly<Record<LimitField, TextValue | null>>): SettingValues {
  const asked = Object.fromEntries(LIMIT_LIST.map(({ key, field }) => [key, fields[field]]))
  return withFallbacks(asked, LIMIT_LIST)
}

/** The text of each limit's field for these settings; empty = no limit. */
export function limitTexts(settings: SettingValues): Record<LimitField, string> {
  const entries = LIMIT_LIST.map(({ key, field, kind }) => {
    const value = settings[key] ?? null
    return [field, value === null ? '' : kind.print(value)] as const
  })
  return Object.fromEntries(entries) as Record<LimitField, string>
}
