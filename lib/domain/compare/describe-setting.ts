import type { Settings } from '../plan.ts'

/** The settings of a plan as people call them. */
export const SETTING_NAMES: Record<keyof Required<Settings>, string> = {
  timeoutMs: 'time limit',
  maxSteps: 'max steps',
  maxTokens: 'token budget',
  maxCostMicroUsd: 'cost budget',
  temperature: 'temperature',
  isolation: 'isolation',
  diskQuotaBytes: 'disk quota',
  maxAttempts: 'attempts',
  seed: 'seed',
  fault: 'fault',
  browser: 'browser',
}

/** One setting with its unit; `none` where nothing was asked for. */
export function describeSetting(field: keyof Settings, settings: Settings): string {
  const value = settings[field]
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'string') return value
  if (field === 'timeoutMs') return `${value / 1000} s`
  if (field === 'maxCostMicroUsd') return `${value / 1e6} USD`
  if (field === 'diskQuotaBytes') return `${value / 1e6} MB`
  return field === 'seed' ? String(value) : value.toLocaleString('en-US')
}
