import { type Settings, settingsSchema } from './plan.ts'
import {
  type ListedSetting,
  OPTION_LIST,
  SETTING_LIST,
  SETTINGS,
  type Setting,
  type SettingKey,
} from './settings.ts'
import type { TextValue } from './text-kinds.ts'

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

/** One setting with its unit; `none` where nothing was set, `not told` where another program did not say. */
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

function accepts(key: SettingKey, value: null | undefined): boolean {
  return SETTINGS[key].schema.safeParse(value).success
}
