import {
  type BoardRow,
  describeStop,
  formatCoverage,
  formatModels,
  type GradingMetrics,
  type TaskExposure,
} from '#lib/domain/board/index.ts'
import type { EvaluatedHere, EvaluationView } from '#lib/domain/eligibility/index.ts'
import type { VerifierSandbox } from '#lib/domain/record/index.ts'
import simulation from '#lib/domain/reports/methodology/simulation.json'
import {
  FEW_TASKS,
  fewTasksNote,
  type LeaveOneOut,
  type WithoutOne,
} from '#lib/domain/statistics/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { formatCount, formatInterval, percentOf, visibleText } from '../ui/format.ts'
import type { RowDetail } from './table-row.ts'

/** A row's two intervals, their scope and the variance behind them; older rows may lack some of it. */
export function intervalFacts({ success }: BoardRow): RowDetail['facts'] {
  const { low, high, method, theseTasks, variance, tasks, rate } = success
  const few = rate !== null && tasks < FEW_TASKS
  return present([
    { name: 'Similar tasks', value: `${formatInterval(low, high)}, ${method}` },
    theseTasks && {
      name: 'These tasks only',
      value: `${formatInterval(theseTasks.low, theseTasks.high)}, for repeated runs of exactly these tasks: ${theseTasks.method}`,
    },
    variance !== undefined && { name: 'Variance', value: formatVariance(variance) },
    few && {
      name: 'Few tasks',
      value: tasks > 1 ? `${fewTasksNote(tasks)}; ${simulatedFewTasks()}` : fewTasksNote(tasks),
    },
  ])
}

function formatVariance(variance: NonNullable<BoardRow['success']['variance']> | null): string {
  if (!variance) return 'unknown: needs two tasks with repetitions'
  const { within, between } = variance
  return `${within.toFixed(3)} within tasks (between repetitions), ${between.toFixed(3)} between tasks`
}

/** Coverage of the interval in the simulation with the fewest tasks. */
function simulatedFewTasks(): string {
  const { fewTasks } = simulation.coverage
  const min = Math.min(...fewTasks.flatMap(({ coverage }) => coverage))
  const sizes = [...new Set(fewTasks.map(({ tasks, repetitions }) => `${tasks} × ${repetitions}`))]
  return `simulated with ${sizes.join(' and ')} it covered the true value in at least ${percentOf(min)} of the rounds, with tasks drawn at random`
}

/** The influence of single tasks and categories on a row's rate; older rows may lack it. */
export function sensitivityFacts({ leaveOneOut, reliability }: BoardRow): RowDetail['facts'] {
  return present([
    reliability === null && {
      name: 'pass^k',
      value: 'unknown: needs two repetitions of every task',
    },
    ...rangeFact('Leave one task out', leaveOneOut?.task),
    ...rangeFact('Leave one category out', leaveOneOut?.category),
  ])
}

function rangeFact(name: string, range: LeaveOneOut | null | undefined): RowDetail['facts'] {
  if (!range) return []
  const { least, most } = range
  const rates = formatInterval(least.rate, most.rate)
  if (least.rate === most.rate) return [{ name, value: `${rates} for each` }]
  return [
    { name, value: `${rates}: lowest without ${nameOf(least)}, highest without ${nameOf(most)}` },
  ]
}

function nameOf({ without, alike }: WithoutOne): string {
  return alike === 0 ? without : `${without} (or ${countOf(alike, 'other')} with the same effect)`
}

export const EVALUATION_LABELS: Record<EvaluationView['state'], string> = {
  agreed: 'agreed',
  disagreed: 'disagreed',
  pending: 'pending',
  impossible: 'not evaluated',
  browser: 'not re-evaluable',
}

/** Formats `70 agreed · 1 disagreed · 4 pending`, with the reason if there is one. */
export function formatEvaluatedHere({
  agreed,
  disagreed,
  pending,
  impossible,
  reason,
}: EvaluatedHere): string {
  const parts = [
    `${formatCount(agreed)} agreed`,
    ...(disagreed > 0 ? [`${formatCount(disagreed)} disagreed`] : []),
    ...(pending > 0 ? [`${formatCount(pending)} pending`] : []),
    ...(impossible > 0 ? [`${formatCount(impossible)} not evaluated`] : []),
  ]
  return `${parts.join(' · ')}${reason === undefined ? '' : ` (${visibleText(reason)})`}`
}

/** Describes whether a row's tasks were public when its model was trained. */
export function formatExposure(exposure: TaskExposure): string {
  const { model, cutoff, tasks, before, unknown, released } = exposure
  if (cutoff === null || before === null) {
    const dates = released
      ? `the tasks were released ${formatDates(released)}`
      : 'the tasks have no release dates'
    return `unknown: no training cut-off of ${model} is recorded; ${dates}`
  }
  const end = `${cutoff.kind} cut-off ${cutoff.date}, ${cutoff.source}`
  if (released === null) return `unknown: the tasks have no release dates (${end})`
  const rest = unknown > 0 ? `; ${countOf(unknown, 'task')} with unknown release date` : ''
  if (before === 0) return `${formatNewer(exposure)}${rest} (${end})`
  const who = before === tasks ? 'tasks' : `${before} of ${countOf(tasks, 'task')}`
  return `${who} were public before the model’s training ended${rest} (${end})`
}

function formatNewer({ cutoff, tasks, after, unknown, released }: TaskExposure): string {
  const who = unknown > 0 ? `${after} of ${countOf(tasks, 'task')}` : 'tasks'
  const dates = released ? `, released ${formatDates(released)}` : ''
  const reach =
    cutoff?.kind === 'knowledge' ? '; training data may extend past a knowledge cut-off' : ''
  return `${who} are newer than the model’s cut-off${dates}${reach}`
}

function formatDates({ first, last }: NonNullable<TaskExposure['released']>): string {
  return first === last ? first : `${first} to ${last}`
}

const SANDBOX_TEXTS: Record<VerifierSandbox['sandbox'], string> = {
  bubblewrap: 'in bubblewrap',
  docker: 'in docker',
  'own-user': 'as a separate user',
  none: 'without a sandbox',
}

const NETWORK_TEXTS: Record<VerifierSandbox['network'], string> = {
  none: 'no network',
  host: 'with the host’s network',
}

/** Formats `in bubblewrap, no network`. */
export function formatSandbox({ sandbox, network }: VerifierSandbox): string {
  return `${SANDBOX_TEXTS[sandbox]}, ${NETWORK_TEXTS[network]}`
}

/** Formats both results: `Visible tests passed 22 of 25 · held-out transcript 20 of 25`. */
export function formatResults(figures: GradingMetrics): string {
  const { scored, visiblePassed, heldOutScored, heldOutPassed } = figures
  const visible = `Visible tests passed ${formatCount(visiblePassed)} of ${formatCount(scored)}`
  if (heldOutPassed === null) return `${visible} · no held-out transcript`
  const coverage = formatCoverage(figures)
  const heldOut = `held-out transcript ${formatCount(heldOutPassed)} of ${formatCount(heldOutScored)}`
  return `${visible} · ${heldOut}${coverage ? ` (${coverage})` : ''}`
}

/** Formats `Graded in bubblewrap, no network`, or each sandbox with its count if they differ. */
export function formatGradingSandboxes({ verifiers }: GradingMetrics): string {
  const counts = new Map<string, number>()
  for (const { sandbox, network, episodes } of verifiers) {
    const place = sandbox && network ? formatSandbox({ sandbox, network }) : 'not recorded'
    counts.set(place, (counts.get(place) ?? 0) + episodes)
  }
  const [[first = 'not recorded'] = [], ...others] = counts
  if (others.length > 0)
    return `Mixed: ${[...counts].map(([place, count]) => `${formatCount(count)} ${place}`).join('; ')}`
  return first === 'not recorded' ? 'Not recorded' : `Graded ${first}`
}

/** Models besides the pinned one, names that the plan declares for it, and implausible usage. */
export function modelFacts(row: BoardRow): RowDetail['facts'] {
  const { subject, modelShares, implausibleUsage } = row
  const { aliases = [], secondary = [] } = subject
  const { calls, episodes } = implausibleUsage ?? { calls: 0, episodes: 0 }
  return present([
    modelShares && {
      name: 'Models',
      value: `${formatModels(row, visibleText)}, by ${modelShares.of}`,
    },
    aliases.length > 0 && { name: 'Also called', value: aliases.join(', ') },
    secondary.length > 0 && { name: 'Declared helpers', value: secondary.join(', ') },
    calls > 0 && {
      name: 'Implausible usage',
      value: `${countOf(calls, 'call')} of ${countOf(episodes, 'episode')} state tokens that cannot be true beside the bytes sent`,
    },
  ])
}

/** Describes the stop of the row's plan by its registered rule, and its interim analyses. */
export function stopFacts({ stop, looks }: BoardRow): RowDetail['facts'] {
  const stopped = stop && {
    name: 'Stopped',
    value: `${describeStop(stop)} (look ${stop.look} of ${stop.looks})`,
  }
  const analyses = looks && {
    name: 'Interim analyses',
    value: `always-valid interval: ${looks.reason}`,
  }
  return [stopped, analyses].filter((fact) => fact !== undefined)
}
