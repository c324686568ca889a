import { countOf } from '#lib/domain/text/index.ts'
import { findContradiction, reportedFacts } from '../../domain/formats/index.ts'
import type { AnyEpisode } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import type { IncomingRun, InspectedRun, LeftOut } from './format.ts'

type Contradiction = { message: string; runId: string; episodeId: string }

/** Compares a further record of a run with the first: returns what contradicts it, and how many results it lacks. */
export function compareRecords(
  episodes: readonly AnyEpisode[],
  run: InspectedRun,
): { contradictions: Contradiction[]; more: number } {
  const taken = new Map(run.episodes.map((one) => [slotOf(one), one.facts]))
  const contradictions = episodes.flatMap((episode) => {
    const [facts, there] = [reportedFacts(episode), taken.get(slotOf(episode))]
    const found = facts && there ? findContradiction(facts, there) : null
    if (!found) return []
    const { runId, episodeId } = episode
    const message = `${slotOf(episode)} is in this upload twice, with different content: ${found.name} is ${found.here} here and ${found.there} there`
    return [{ message, runId, episodeId }]
  })
  const more = episodes.filter((episode) => !taken.has(slotOf(episode))).length
  return { contradictions, more }
}

function slotOf({ taskId, repetition }: { taskId: string; repetition: number }): string {
  return `${taskId}, repetition ${repetition}`
}

/** Describes what a record has beyond an accepted or stored run: its plan is fixed, so nothing can be added. */
export function leaveOutRest(more: number, { path, runId }: InspectedRun, taken: number): LeftOut {
  const reason = `${countOf(more, 'more result')} of ${runId}, which has ${taken} already: a stored run takes no others`
  return { path: placeOf({ path }), reason }
}

/** Describes the place of a run in its file. */
export function placeOf({ path }: Pick<IncomingRun, 'path'>): string {
  return path.replace(/: $/, '')
}

/** Maximum number of reasons in one error message. */
const MAX_REASONS = 5

/** Returns the error of an upload whose runs all had to be left out. */
export function noValidRun(leftOut: readonly LeftOut[]): AppError {
  const reasons = leftOut.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`))
  const rest = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more` : ''
  const named = `${reasons.slice(0, MAX_REASONS).join('; ')}${rest}`
  const message = reasons.length === 1 ? named : `none of its runs can be stored: ${named}`
  return new AppError('invalid-episode', message)
}
