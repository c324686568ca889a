import {
  SETTING_KEYS,
  SETTINGS,
  type Setting,
  type SettingKey,
  type SettingRegistry,
  type Settings,
  settingsSchema,
} from './settings.ts'
import type { TextValue } from './text-kinds.ts'

type ListedSetting = Setting & { key: SettingKey }

export const SETTING_LIST: readonly ListedSetting[] = SETTING_KEYS.map((key) => ({
  key,
  ...SETTINGS[key],
}))

type KeysWith<Part> = { [K in SettingKey]: SettingRegistry[K] extends Part ? K : never }[SettingKey]
export type LimitKey = KeysWith<{ label: string; field: string }>
export type LimitField = SettingRegistry[LimitKey]['field']
type Bare<Flag> = Flag extends `--${infer Name}` ? Name : never
/** Name in `--pins` and in lists of subjects: `max-steps`. */
export type PinName = Bare<SettingRegistry[KeysWith<{ isPin: true }>]['option']['flag']>

/** Settings that a command line can set; those that differ from their default are last. */
export const OPTION_LIST = [
  ...SETTING_LIST.filter(({ fallback }) => fallback === null),
  ...SETTING_LIST.filter(({ fallback }) => fallback !== null),
].flatMap(({ option, ...setting }) => (option ? [{ ...setting, option }] : []))

type Limit = ListedSetting & {
  key: LimitKey
  field: LimitField
  label: string
  option: NonNullable<Setting['option']>
}

/** Text fields of every form: the limits of one episode. */
export const LIMIT_LIST: readonly Limit[] = SETTING_LIST.filter(
  (setting): setting is Limit => setting.label !== undefined && setting.option !== null,
)

export const PIN_LIST = OPTION_LIST.flatMap(({ isPin, option, ...setting }) =>
  isPin ? [{ ...setting, name: option.flag.slice('--'.length) as PinName }] : [],
)

/** Known settings by key. */
export type SettingValues = Readonly<{ [K in SettingKey]?: TextValue | null | undefined }>

/**
 * Fills in the fallback of each setting that was not requested. Optional settings are left out then, so that a plan
 * that does not use one keeps the digest from before the setting existed.
 */
export function withFallbacks(
  requested: SettingValues,
  settings: readonly ListedSetting[] = SETTING_LIST,
): SettingValues {
  const entries = settings.map(({ key, fallback }) => [key, requested[key] ?? fallback] as const)
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== null || !accepts(key, undefined)),
  )
}

/** Completes the requested settings of a plan; throws if the isolation level is still open. */
export function completeSettings(requested: SettingValues): Settings {
  return settingsSchema.parse(withFallbacks(requested))
}

/** Formats one setting with its unit; `none` if it is not set, `not reported` if another program did not state it. */
export function describeSetting(key: SettingKey, settings: SettingValues): string {
  const setting: Setting = SETTINGS[key]
  const value = settings[key] ?? null
  if (value !== null) return setting.kind.describe(value)
  return accepts(key, null) || accepts(key, undefined) ? 'none' : 'not reported'
}

/** Lists settings that differ from the default, with their units: `max steps`, `50`. */
export function listAsked(settings: SettingValues): { name: string; text: string }[] {
  return OPTION_LIST.flatMap(({ key, name, fallback }) =>
    fallback !== null || (settings[key] ?? null) === null
      ? []
      : [{ name, text: describeSetting(key, settings) }],
  )
}

/** Typed value for no limit. */
const NONE = 'none'

/** Parses a setting. Null = `none` was typed where allowed; undefined = invalid. */
export function readSetting(
  { kind, canBeNone }: Pick<Setting, 'kind' | 'canBeNone'>,
  text: string,
): TextValue | null | undefined {
  if (canBeNone && text.trim() === NONE) return null
  return kind.read(text) ?? undefined
}

/** Formats a value so that `readSetting` parses it again. */
export function printSetting({ kind }: Pick<Setting, 'kind'>, value: TextValue | null): string {
  return value === null ? NONE : kind.print(value)
}

/** Completes the sentence "must be …". */
export function expectedOf({ kind, canBeNone }: Pick<Setting, 'kind' | 'canBeNone'>): string {
  return canBeNone ? `${kind.expected}, or ${NONE}` : kind.expected
}

function accepts(key: SettingKey, value: null | undefined): boolean {
  return SETTINGS[key].schema.safeParse(value).success
}
