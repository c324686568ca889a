import { plural } from '#components/format/number.ts'
import type { TaskExposure } from '#lib/domain/models/task-exposure.ts'

/** Whether a row's tasks were public when its model was trained. */
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
  const rest = unknown > 0 ? `; ${plural(unknown, 'task')} with unknown release date` : ''
  if (before === 0) return `${formatNewer(exposure)}${rest} (${end})`
  const who = before === tasks ? 'tasks' : `${before} of ${plural(tasks, 'task')}`
  return `${who} were public before the model’s training ended${rest} (${end})`
}

function formatNewer({ cutoff, tasks, after, unknown, released }: TaskExposure): string {
  const who = unknown > 0 ? `${after} of ${plural(tasks, 'task')}` : 'tasks'
  const dates = released ? `, released ${formatDates(released)}` : ''
  const reach =
    cutoff?.kind === 'knowledge' ? '; training data may extend past a knowledge cut-off' : ''
  return `${who} are newer than the model’s cut-off${dates}${reach}`
}

function formatDates({ first, last }: NonNullable<TaskExposure['released']>): string {
  return first === last ? first : `${first} to ${last}`
}
