import type { BrowserRecord } from '#lib/domain/browser/browser-record.ts'
import type { ContractResult } from '#lib/domain/contract.ts'
import type { Firing } from '../apps/app-house.ts'
import { AppServerError } from '../apps/app-server-error.ts'
import type { Judgement, Kept, Scene } from '../arena.ts'
import { librarySandbox } from '../libraries/sandbox/library-sandbox.ts'
import { decideSubjectOutcome, type SubjectResult } from '../phases/run-subject.ts'
import { browserRecord } from './browser-record.ts'
import { judgeLost, judgeWorkflow } from './judge-workflow.ts'
import { keepWorkflow } from './keep-workflow.ts'
import { type FinalView, readFinalView } from './read-final-view.ts'
import type { Stage } from './stage.ts'
import type { Played } from './workflow-player.ts'

/** What is known of an episode so far; each phase adds its part. */
type Course = {
  played: Played | null
  processes: BrowserRecord['processes']
  view: FinalView | null
  contract: ContractResult | null
  firing: Firing | null
  reset: BrowserRecord['reset']
}

const UNSEEN: BrowserRecord['processes'] = {
  peakPssBytes: null,
  libraryPeakPssBytes: null,
  peakCount: null,
  zombies: null,
}

/** A browser episode's phases over its stage; `enteredMs` is what preparing took. */
export function workflowScene(stage: Stage, enteredMs: number): Scene {
  const { tenant, lease, place, visit, player } = stage
  const course: Course = {
    played: null,
    processes: UNSEEN,
    view: null,
    contract: null,
    firing: null,
    reset: null,
  }
  let harnessMs = enteredMs
  const own = async <T>(run: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    try {
      return await run()
    } finally {
      harnessMs += performance.now() - start
    }
  }
  const release = async () => {
    course.reset ??= await lease.release()
  }
  return {
    play: () => play(stage, course),
    restore: async () => [],
    judge: (subject) => own(() => judge(stage, course, subject)),
    collect: async (subject) => {
      const files = await own(async () => {
        const isStopped = subject.outcome?.status === 'cancelled'
        const isLost = course.played !== null && course.view === null
        if (!isStopped && !isLost) course.firing ??= await tenant.fired()
        const evidence = keepWorkflow({ ...stage, ...course, ending: subject.ending })
        // The final state is read, so the browser is emptied while the evidence is written down.
        const [kept] = await Promise.all([evidence, release()])
        return kept
      })
      const browser = browserRecord({ ...course, player, lease, harnessMs })
      return { files, browser, fault: faultOf(stage, course.firing) }
    },
    leave: async () => {
      await Promise.all([release(), tenant.close()]).catch(() => {})
      await place.remove()
      visit.log.flush()
    },
  }

  function faultOf({ fault }: Stage, firing: Firing | null): NonNullable<Kept['fault']> | null {
    if (fault === null) return null
    const point = firing ? `${fault.at}: ${firing.evidence}`.slice(0, 500) : fault.at
    return { plan: fault.kind, point, firedAt: firing?.at ?? null, recovered: null }
  }
}

async function play(stage: Stage, course: Course): Promise<SubjectResult> {
  const { visit, task, player, house, place, tenant, lease, files } = stage
  const { slot, plan, marker, runMark, log, signal } = visit
  // A workflow's own limit is what a user would wait; a plan may only be stricter.
  const timeoutMs = Math.min(plan.settings.timeoutMs, task.task.budgets.timeoutMs)
  const settings = { ...plan.settings, timeoutMs }
  const watch = lease.watch(marker)
  try {
    course.played = await player.act({
      ...{ task, settings, marker, runMark, log, signal, files, ...place },
      repetition: slot.repetition,
      isolation: lease.reach ? librarySandbox({ shown: [], doors: [] }) : house.isolation,
      origin: tenant.origin,
      endpoint: lease.endpoint,
      webdriverPort: lease.webdriverPort,
      reach: lease.reach,
    })
  } finally {
    course.processes = await watch.stop()
  }
  const { ending } = course.played
  return { ending, outcome: decideSubjectOutcome(ending, settings) }
}

async function judge(
  { tenant, lease, task }: Stage,
  course: Course,
  subject: SubjectResult,
): Promise<Judgement | null> {
  if (subject.outcome?.status === 'cancelled' || course.played === null) return null
  const lost = (what: string) => judgeLost(course.played as Played, what)
  if (lease.hasEnded()) return lost('the leased browser')
  try {
    course.firing = await tenant.fired()
    course.view = await readFinalView(tenant, lease, task.task.contract)
  } catch (error) {
    if (lease.hasEnded()) return lost('the leased browser')
    // A library in its sandbox sees no process but its own: then it was not the library.
    if (lease.reach === null && error instanceof AppServerError) return lost('the app’s server')
    throw error
  }
  course.contract = course.view.contract
  return judgeWorkflow(course.played, course.view)
}
