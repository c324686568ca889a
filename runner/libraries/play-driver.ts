import { pathToFileURL } from 'node:url'
import type { Rung } from '#lib/domain/record/index.ts'
import { type BrowserActions, type Target, UnsupportedActionError } from './action-surface.ts'
import type { Driver, DriverStep, Facts } from './driver.ts'
import { type ActionTrace, traceActions } from './host/trace-actions.ts'
import type { HostReport, HostRequest } from './host-protocol.ts'
import { plainMessage } from './host-protocol.ts'

type Played = Pick<HostReport, 'ending' | 'rung' | 'libraryError' | 'firstErrorAt'>

/** The common ladder, the same for every library. A rung returns the index of the step to continue with, or throws. */
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
      await course.page.newPage() // the page found may be the broken one
      return resumeAt(course, at)
    },
  },
]

/**
 * Plays a driver's steps and climbs the ladder when one fails, each rung once per failing step. Never throws for errors
 * of a library or a driver.
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

/** Climbs until a rung helps; otherwise `played` records the ending. Returns the index of the step to continue with. */
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
  const step = steps[at] as DriverStep
  trace.step = step.name
  await step.run(page, facts)
  trace.endStep()
}

/** Turns every ending into a value, because the code is not ours. */
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

/** The steps of a driver and the traced page they are played on. */
type Course = {
  steps: readonly DriverStep[]
  page: BrowserActions
  facts: Facts
  trace: ActionTrace
  log: (line: string) => void
}

/** A notice that may cover a page; it is dismissed before a step is retried. */
const NOTICE: Target = {
  css: '#dismiss-notice',
  role: 'button',
  name: 'Dismiss notice',
}

/** Dismisses a notice that covers the page, if it is visible; an unresponsive page counts as having none. */
async function dismissNotice(page: BrowserActions): Promise<void> {
  try {
    if (await page.sees(NOTICE)) await page.click(NOTICE)
  } catch (error) {
    if (error instanceof UnsupportedActionError) throw error
  }
}

/**
 * Resumes at the nearest checkpoint at or before a failed step, plays on to that step and returns the index after it.
 * Steps whose `done` reports true are not repeated: checked at once, and again after the checkpoint, because a
 * signed-out user sees no order. `done` may navigate in the app: if it returns true the next step begins where it left,
 * otherwise the checkpoint is played again.
 */
async function resumeAt(course: Course, at: number): Promise<number> {
  const from = checkpointBefore(course, at)
  const happened = await lastDone(course, from, at).catch((error) => {
    if (error instanceof UnsupportedActionError) throw error
    return null // a page that just broke cannot tell
  })
  if (happened !== null) return happened + 1
  await play(course, from)
  const behind = await lastDone(course, from + 1, at)
  if (behind !== null) return behind + 1
  if (course.steps.slice(from + 1, at + 1).some(({ done }) => done)) await play(course, from)
  for (let next = from + 1; next <= at; next++) await play(course, next)
  return at + 1
}

function checkpointBefore({ steps }: Course, at: number): number {
  const found = steps.slice(0, at + 1).findLastIndex(({ checkpoint }) => checkpoint)
  return Math.max(0, found)
}

/** Returns the last of these steps that has already happened; null = none of those with `done`. */
async function lastDone(course: Course, from: number, to: number): Promise<number | null> {
  for (let index = to; index >= from; index--) {
    if (await course.steps[index]?.done?.(course.page, course.facts)) return index
  }
  return null
}

async function play({ steps, page, facts }: Course, index: number): Promise<void> {
  await steps[index]?.run(page, facts)
}

type Scripted = Extract<HostRequest['drive'], { kind: 'scripted' }>

/** Plays the bundled driver of a request over a connected library. Throws if the driver module is invalid. */
export async function playScripted(
  order: HostRequest,
  drive: Scripted,
  actions: BrowserActions,
  tools: Parameters<typeof traceActions>[2] & { log: (line: string) => void },
): Promise<Played> {
  const { origin, files } = order
  const steps = stepsOf(await import(pathToFileURL(drive.driverPath).href), drive.wrong)
  const { page, trace } = traceActions(actions, order, tools)
  return playDriver({
    steps,
    page,
    trace,
    facts: { origin, files, notes: new Map() },
    log: tools.log,
  })
}

/** The driver comes from our own bundle; only its shape is checked. */
function stepsOf({ driver }: { driver?: Driver }, wrong: string | null): readonly DriverStep[] {
  const steps = wrong === null ? driver?.steps : driver?.wrong[wrong]
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Error(
      wrong === null ? 'the driver has no steps' : `the driver has no wrong “${wrong}”`,
    )
  return steps
}
