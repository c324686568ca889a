import { z } from 'zod'
import {
  expectedOf,
  LIMIT_LIST,
  type LimitField,
  printSetting,
  readSetting,
  type SettingValues,
  type TextKind,
  type TextValue,
} from '../settings/index.ts'

/** A form field of a kind: its value, or a message about the allowed values. */
export function typed<T extends TextValue>(what: string, kind: TextKind<T>) {
  return z.string().transform((text, context) => {
    const value = kind.read(text)
    if (value !== null) return value
    const message = `${what} must be ${kind.expected}, not “${text}”.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** The same field, optional: empty = null. */
export function orNull<T>(schema: z.ZodType<T, string>) {
  return z.union([z.literal('').transform(() => null), schema], { error: innerMessage })
}

/** Shows the error of the inner schema, because the message of a union is not helpful. */
function innerMessage(issue: z.core.$ZodRawIssue): string {
  const errors = (issue as { errors?: z.core.$ZodIssue[][] }).errors ?? []
  return errors.flat().at(-1)?.message ?? 'Invalid value.'
}

/** The limits of an episode as in every form, by field; an empty field uses the default. */
export function limitShape() {
  const entries = LIMIT_LIST.map((setting) => [setting.field, limitSchema(setting)] as const)
  return Object.fromEntries(entries) as Record<LimitField, ReturnType<typeof limitSchema>>
}

function limitSchema(setting: (typeof LIMIT_LIST)[number]) {
  const { field, fallback } = setting
  return z.string().transform((text, context) => {
    if (text === '' && fallback === null) return undefined
    const value = readSetting(setting, text)
    if (value !== undefined) return value
    const name = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
    const message = `${name} must be ${expectedOf(setting)}, not “${text}”.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** Converts a form's limits to the keys of a plan. Null = none; absent = the default. */
export function limitsOf(
  fields: Readonly<Record<LimitField, TextValue | null | undefined>>,
): SettingValues {
  const limits = LIMIT_LIST.flatMap(({ key, field, fallback }) => {
    const value = fields[field] === undefined ? (fallback ?? undefined) : fields[field]
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(limits)
}

/** The text of each limit's field for these settings; empty = the default. */
export function limitTexts(settings: SettingValues): Record<LimitField, string> {
  const entries = LIMIT_LIST.map((setting) => {
    const value = settings[setting.key]
    const isEmpty = value === undefined || (value === null && !setting.canBeNone)
    return [setting.field, isEmpty ? '' : printSetting(setting, value)] as const
  })
  return Object.fromEntries(entries) as Record<LimitField, string>
}
