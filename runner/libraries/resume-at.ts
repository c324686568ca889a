import { type BrowserActions, type Target, UnsupportedActionError } from './action-surface.ts'
import type { Facts, Step } from './driver.ts'
import type { ActionTrace } from './host/trace-actions.ts'

/** The steps of a driver and the traced page they are played on. */
export type Course = {
  steps: readonly Step[]
  page: BrowserActions
  facts: Facts
  trace: ActionTrace
  log: (line: string) => void
}

/** The notice that may cover a page; whoever drives it, it is dismissed before a step is tried again. */
const NOTICE: Target = {
  css: '#dismiss-notice',
  role: 'button',
  name: 'Dismiss notice',
}

/** Dismisses a notice that covers the page, if one is seen; a page that cannot be asked has none. */
export async function dismissNotice(page: BrowserActions): Promise<void> {
  try {
    if (await page.sees(NOTICE)) await page.click(NOTICE)
  } catch (error) {
    if (error instanceof UnsupportedActionError) throw error
  }
}

/**
 * Takes the work up at the nearest checkpoint at or before a step that failed, plays on to that step and answers the
 * index behind it. Steps that say by `done` that they have happened are not done again: asked at once, and once more
 * behind the checkpoint, because whoever is not signed in sees no order of his. `done` may move about in the app: when
 * it says yes the next step begins where it left, when it says no the checkpoint is played again.
 */
export async function resumeAt(course: Course, at: number): Promise<number> {
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

/** The last of these steps that has already happened; null = none of those that can tell. */
async function lastDone(course: Course, from: number, to: number): Promise<number | null> {
  for (let index = to; index >= from; index--) {
    if (await course.steps[index]?.done?.(course.page, course.facts)) return index
  }
  return null
}

async function play({ steps, page, facts }: Course, index: number): Promise<void> {
  await steps[index]?.run(page, facts)
}
