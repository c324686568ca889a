import { randomBytes } from 'node:crypto'
import { Option } from 'commander'
import { PROVENANCE_LEVELS } from '#lib/domain/board/episode-fact.ts'
import { type Settings, settingsSchema } from '#lib/domain/plan.ts'
import { UsageError } from './cli-error.ts'

/** Parsers for option values: each answers with the value or throws a UsageError that says what to write. */

export function wholeNumber(name: string, most = 1000): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw new UsageError(`${name} must be a whole number from 1 to ${most}, not "${text}"`)
  }
}

export function nameList(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) throw new UsageError('--tasks must be task names separated by commas')
  return [...new Set(names)]
}

export function shard(text: string): { index: number; count: number } {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text)
  const index = Number(match?.[1])
  const count = Number(match?.[2])
  if (match && index >= 1 && index <= count) return { index, count }
  throw new UsageError(`--shard must be i/n with 1 <= i <= n, for example 3/8, not "${text}"`)
}

export function runIdOption(text: string): string {
  if (/^run_[0-9a-z]{8,40}$/.test(text)) return text
  throw new UsageError('--run-id must be run_ followed by 8 to 40 lower-case letters or digits')
}

/** A name that no other run has. */
export function freshRunId(): string {
  return `run_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`
}

/** `auto` = the strongest level of this machine, which is also what no option means. */
export type AskedIsolation = Settings['isolation'] | 'auto'

export function isolationOption(text: string): AskedIsolation {
  if (text === 'auto') return text
  const level = settingsSchema.shape.isolation.safeParse(text)
  if (level.success) return level.data
  const levels = ['auto', ...settingsSchema.shape.isolation.options]
  throw new UsageError(`--isolation must be one of ${levels.join(', ')}, not "${text}"`)
}

export function seedOption(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new UsageError(`--seed must be a whole number, not "${text}"`)
}

/** US dollars as whole millionths, so that no rounding hides in a budget. */
export function usDollars(name: string): (text: string) => number {
  return (text) => {
    const value = Math.round(Number(text) * 1e6)
    if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && value > 0) return value
    throw new UsageError(
      `${name} must be an amount in US dollars above 0, for example 0.50, not "${text}"`,
    )
  }
}

export function temperature(text: string): number | 'provider-fixed' {
  if (text === 'provider-fixed') return text
  const value = Number(text)
  if (/^\d(\.\d+)?$/.test(text) && value <= 2) return value
  throw new UsageError(
    `--temperature must be a number from 0 to 2 or provider-fixed, not "${text}"`,
  )
}

/** Which faults there are depends on the suite: here only the form is looked at. */
export function faultOption(text: string): string {
  const trimmed = text.trim()
  if (/^[a-z][a-z0-9@,=-]{0,99}$/.test(trimmed)) return trimmed
  throw new UsageError(
    `--fault must be kind@step for an agent, for example rate-limit@2, or a kind for a browser suite, for example stall, not "${text.slice(0, 60)}"`,
  )
}

export function browserOption(text: string): 'reused' | 'cold' {
  if (text === 'reused' || text === 'cold') return text
  throw new UsageError(`--browser must be reused or cold, not "${text.slice(0, 60)}"`)
}

/** `--as`: the same question wherever the headline gate is asked. */
export function provenanceOption(): Option {
  return new Option('--as <provenance>', 'assumed provenance of the results')
    .choices(PROVENANCE_LEVELS)
    .default('token')
}
