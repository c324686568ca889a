import type { UsageReport } from './agent-definition.ts'

export type OwnUsage = { input: number | null; output: number | null; costUsd: number | null }

/**
 * What an agent says of its own use, from its output; null where it says nothing. Output that is not JSON is passed over:
 * lines of noise stand between the others.
 */
export function readOwnReport(report: UsageReport, output: string): OwnUsage {
  const told = output
    .split('\n')
    .flatMap(parseLine)
    .filter((item) => memberOf(item, 'type') === report.type)
  const read = (path: string | null) => {
    const numbers = told.flatMap((item) => toNumber(path === null ? null : memberOf(item, path)))
    if (numbers.length === 0) return null
    return report.sum ? numbers.reduce((sum, one) => sum + one, 0) : (numbers.at(-1) ?? null)
  }
  return { input: read(report.input), output: read(report.output), costUsd: read(report.costUsd) }
}

/** The objects of one line: one of them, or an array of them. */
function parseLine(line: string): unknown[] {
  if (!/^\s*[{[]/.test(line)) return []
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value : [value]
  } catch {
    return []
  }
}

function memberOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    const isMember = typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    return isMember ? (at as Record<string, unknown>)[name] : undefined
  }, value)
}

function toNumber(value: unknown): number[] {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? [value] : []
}
