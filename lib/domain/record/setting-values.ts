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

export type ListedSetting = Setting & { key: SettingKey }

export const SETTING_LIST: readonly ListedSetting[] = SETTING_KEYS.map((key) => ({
  key,
  ...SETTINGS[key],
}))

type KeysWith<Part> = { [K in SettingKey]: SettingRegistry[K] extends Part ? K : never }[SettingKey]
export type LimitKey = KeysWith<{ label: string; field: string }>
export type LimitField = SettingRegistry[LimitKey]['field']
type Bare<Flag> = Flag extends `--${infer Name}` ? Name : never
/** As `--pins` and lists of subjects call it: `max-steps`. */
export type PinName = Bare<SettingRegistry[KeysWith<{ isPin: true }>]['option']['flag']>

/** What a command line can set; settings that differ from their default are last. */
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

/** Settings by key, as far as they are known. */
export type SettingValues = Readonly<{ [K in SettingKey]?: TextValue | null | undefined }>

/**
 * These settings, each with its fallback where none was asked for. One that a plan can do without is left out then, so that a
 * plan that does not use it has the digest that it had before there was such a setting.
 */
export function withFallbacks(
  asked: SettingValues,
  settings: readonly ListedSetting[] = SETTING_LIST,
): SettingValues {
  const entries = settings.map(({ key, fallback }) => [key, asked[key] ?? fallback] as const)
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== null || !accepts(key, undefined)),
  )
}

/** The settings of a plan from the request; throws where the level of isolation is still open. */
export function completeSettings(asked: SettingValues): Settings {
  return settingsSchema.parse(withFallbacks(asked))
}

/** One setting with its unit; `none` where nothing was set, `not reported` where another program did not say. */
export function describeSetting(key: SettingKey, settings: SettingValues): string {
  const setting: Setting = SETTINGS[key]
  const value = settings[key] ?? null
  if (value !== null) return setting.kind.describe(value)
  return accepts(key, null) || accepts(key, undefined) ? 'none' : 'not reported'
}

/** The settings that differ from the default, with their units: `max steps`, `50`. */
export function listAsked(settings: SettingValues): { name: string; text: string }[] {
  return OPTION_LIST.flatMap(({ key, name, fallback }) =>
    fallback !== null || (settings[key] ?? null) === null
      ? []
      : [{ name, text: describeSetting(key, settings) }],
  )
}

/** No limit, as people type it. */
const NONE = 'none'

/** Reads a setting from text. Null = `none` was typed where that is possible; undefined = invalid. */
export function readSetting(
  { kind, canBeNone }: Pick<Setting, 'kind' | 'canBeNone'>,
  text: string,
): TextValue | null | undefined {
  if (canBeNone && text.trim() === NONE) return null
  return kind.read(text) ?? undefined
}

/** The text that `readSetting` reads as this value. */
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
