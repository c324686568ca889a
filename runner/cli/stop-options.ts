import { type Command, Option } from 'commander'
import { countSlots, type Plan, type PlanDraft, type Stop } from '#lib/domain/record/index.ts'
import { stopLooks } from '#lib/domain/statistics/index.ts'
import { countOf, formatLevel } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import { readAs } from './options.ts'

/** Options of a plan that stops once it is decided; both numbers are 0–1. */
export type StopOptions = {
  stopWhen?: 'decided' | 'never'
  smallestDifference?: number
  stopError?: number
}

/** Defaults of the smallest relevant difference and of the probability of a false verdict. */
const DEFAULTS = { difference: 0.2, alpha: 0.05 }

/** Adds the options that register when a plan with two sides stops. */
export function addStopOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--stop-when <rule>',
        'decided: stop both sides once the verdict is certain; never: run all',
      ).choices(['decided', 'never']),
    )
    .option(
      '--smallest-difference <points>',
      'with --stop-when: the smallest difference that matters, in points (default: 20)',
      percentOption('--smallest-difference', 100),
    )
    .option(
      '--stop-error <percent>',
      'with --stop-when: chance of a false verdict, in percent (default: 5)',
      percentOption('--stop-error', 20),
    )
}

/** Reads the stopping rule for these tasks, repetitions and sides; undefined = no option was given. */
export function readStop(
  options: StopOptions,
  plan: Pick<PlanDraft, 'tasks' | 'repetitions' | 'arms'>,
  pair?: Stop['pair'],
): Stop | undefined {
  const { stopWhen, smallestDifference, stopError } = options
  if (stopWhen !== 'decided') {
    const flag = smallestDifference === undefined ? '--stop-error' : '--smallest-difference'
    if (smallestDifference === undefined && stopError === undefined) return undefined
    throw usageError(`${flag} requires --stop-when decided`, flag)
  }
  if (pair === undefined && plan.arms?.length !== 2)
    throw usageError(
      '--stop-when decided compares two sides: name one --arm, or arms with one beside the baseline',
      '--stop-when',
    )
  const tasks = plan.tasks.length
  const looks = stopLooks(tasks, tasks * plan.repetitions)
  if (looks.length < 2)
    throw usageError(
      '--stop-when decided needs at least 2 --repetitions: with one there is nothing to stop before',
      '--repetitions',
    )
  return {
    when: stopWhen,
    difference: smallestDifference ?? DEFAULTS.difference,
    alpha: stopError ?? DEFAULTS.alpha,
    looks,
    ...(pair && { pair }),
  }
}

/** Shards run separately, so none of them knows when the whole plan is decided. */
export function refuseShards({ stop }: Pick<Plan, 'stop'>, shards: number): void {
  if (stop === undefined || shards === 1) return
  throw usageError('a plan that stops when decided runs as a whole: remove --shard', '--shard')
}

/** Formats a plan's rule: `stops when … is certain (error at most 5 %): looks after 60, 120, 180, 240 of 300 episodes`. */
export function describeRule(plan: Pick<Plan, 'tasks' | 'repetitions' | 'arms' | 'stop'>): string {
  const { stop } = plan
  if (stop === undefined) return ''
  const points = countOf(Math.round(100 * stop.difference), 'point')
  const all = countOf(stop.looks.at(-1) ?? countSlots(plan), 'episode')
  const looks = stop.looks.slice(0, -1).join(', ')
  return `stops when better, worse or no difference larger than ${points} is certain (error at most ${formatLevel(stop.alpha)}): looks after ${looks} of ${all}`
}

/** Parses points or per cent into a share of 1. */
export function percentOption(flag: string, max: number): (text: string) => number {
  return readAs(flag, {
    expected: `a number from 1 to ${max}`,
    inputMode: 'decimal',
    read: (text) => {
      const value = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) / 100 : 0
      return value >= 0.01 && value <= max / 100 ? value : null
    },
    print: (value) => String(100 * value),
    describe: (value) => `${100 * value}`,
  })
}
