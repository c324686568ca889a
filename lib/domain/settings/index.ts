/** Public API of this module; other modules import only this file. */

export * from './row-settings.ts'
export {
  completeSettings,
  describeSetting,
  expectedOf,
  LIMIT_LIST,
  type LimitField,
  listAsked,
  OPTION_LIST,
  PIN_LIST,
  type PinName,
  printSetting,
  readSetting,
  SETTING_LIST,
  type SettingValues,
} from './setting-values.ts'
export {
  SETTINGS,
  type Settings,
  settingsSchema,
} from './settings.ts'
export {
  BYTES,
  DOLLARS,
  type GivenPrice,
  oneOf,
  readGivenPrice,
  readSize,
  type TextKind,
  type TextValue,
  wholeNumber,
} from './text-kinds.ts'
