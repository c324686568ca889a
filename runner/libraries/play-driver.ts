import type { Rung } from '#lib/domain/browser/browser-record.ts'
import { UnsupportedActionError } from './action-surface.ts'
import type { Step } from './driver.ts'
import { plainMessage } from './host/plain-message.ts'
import type { HostReport } from './host-protocol.ts'
import { type Course, dismissNotice, resumeAt } from './resume-at.ts'

export type Played = Pick<HostReport, 'ending' | 'rung' | 'libraryError' | 'firstErrorAt'>

/** The common ladder, the same for every library. A rung answers the index of the step to go on with, or throws. */
const LADDER: readonly { rung: Rung; climb: (course: Course, at: number) => Promise<number> }[] = [
  {
    rung: 'retry',
    climb: async (course, at) => {
      await dismissNotice(course.page)
      if (course.steps[at]?.done) return resumeAt(course, at)
      await playStep(course, at)
      return at + 1
    },
  },
  {
    rung: 'new-page',
    climb: async (course, at) => {
      await course.page.newPage()
      return resumeAt(course, at)
    },
  },
  {
    rung: 'reconnect',
    climb: async (course, at) => {
      await course.page.reconnect()
      await course.page.newPage() // the page that was found again may be the broken one
      return resumeAt(course, at)
    },
  },
]

/**
 * Plays a driver's steps and climbs the ladder when one fails, each rung once for a failing step. Never throws for what
 * a library or a driver does.
 */
export async function playDriver(course: Course): Promise<Played> {
  const { trace, log } = course
  const played: Played = { ending: 'finished', rung: null, libraryError: null, firstErrorAt: null }
  const isOut = await Promise.race([playSteps(course, played), trace.out.then(() => true)])
  if (isOut) log('out of actions')
  const ending = isOut ? 'out-of-actions' : played.ending
  const rung = ending === 'gave-up' ? 'given-up' : played.rung
  return { ...played, ending, rung, firstErrorAt: trace.firstErrorAt }
}

async function playSteps(course: Course, played: Played): Promise<false> {
  const { steps } = course
  const climbed = new Map<number, number>()
  for (let at = 0; at < steps.length && played.ending === 'finished'; ) {
    const going = await attempt(() => playStep(course, at).then(() => at + 1))
    at = 'next' in going ? going.next : await climb(course, played, climbed, at, going.error)
  }
  return false
}

/** Climbs until a rung helps; otherwise `played` tells how it ended. Answers the index of the step to go on with. */
async function climb(
  course: Course,
  played: Played,
  climbed: Map<number, number>,
  at: number,
  failure: unknown,
): Promise<number> {
  note(course, played, at, failure)
  const height = climbed.get(at) ?? 0
  const rung = LADDER[height]
  const isImpossible = failure instanceof UnsupportedActionError
  if (isImpossible || rung === undefined) {
    played.ending = isImpossible ? 'unsupported' : 'gave-up'
    return at
  }
  climbed.set(at, height + 1)
  course.log(`${course.steps[at]?.name}: ${rung.rung}`)
  played.rung = higher(played.rung, rung.rung)
  const going = await attempt(() => rung.climb(course, at))
  return 'next' in going ? going.next : climb(course, played, climbed, at, going.error)
}

async function playStep({ steps, page, facts, trace }: Course, at: number): Promise<void> {
  const step = steps[at] as Step
  trace.step = step.name
  await step.run(page, facts)
}

/** An ending is a value, also of somebody else's code. */
async function attempt(
  work: () => Promise<number>,
): Promise<{ next: number } | { error: unknown }> {
  try {
    return { next: await work() }
  } catch (error) {
    return { error }
  }
}

function note({ steps, trace, log }: Course, played: Played, at: number, error: unknown): void {
  trace.firstErrorAt ??= Date.now()
  const message = plainMessage(error)
  const isOfAction = trace.lastError?.error === error
  const action = isOfAction ? (trace.lastError?.action ?? null) : null
  played.libraryError = { step: steps[at]?.name.slice(0, 200) ?? null, action, message }
  log(`${steps[at]?.name}: ${message}`)
}

function higher(one: Rung | null, other: Rung): Rung {
  const heights = LADDER.map(({ rung }) => rung)
  return one !== null && heights.indexOf(one) > heights.indexOf(other) ? one : other
}
