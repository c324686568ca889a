import type { ErrorRecord } from '#lib/domain/statistics/error-record.ts'
import { percent, sizeOf } from './words.ts'

/** The tables of boards, power and looks as `npm run simulate` prints them, line by line. */
export function describeErrors({ boards, plans, looks }: ErrorRecord): string[] {
  return [
    ...['', 'Boards of eight rows', ...boards.map(boardLine)],
    ...['', 'Power at the planner’s detectable difference', ...plans.map(planLine)],
    ...['', 'Looks at two equal rows', ...looks.map(lookLine)],
  ]
}

function boardLine(result: ErrorRecord['boards'][number]): string {
  const { name, setsHold, anyFalse, anyFalseByFdr, found } = result
  const errors = `some verdict false ${percent(anyFalse)} (Benjamini–Hochberg ${percent(anyFalseByFdr)})`
  return `${name.padEnd(26)} ${sizeOf(result)} rank sets hold ${percent(setsHold)} · ${errors} · found ${percent(found)}`
}

function planLine(result: ErrorRecord['plans'][number]): string {
  const { poolRows, detectable, power } = result
  return `${sizeOf(result)} pool of ${poolRows} · detectable ${percent(detectable)} · power ${percent(power)}`
}

function lookLine(result: ErrorRecord['looks'][number]): string {
  const { kind, looks, plain, judged } = result
  return `${sizeOf(result)} ${kind.padEnd(9)} ${looks} looks · plain test ${percent(plain)} · as judged ${percent(judged)}`
}
