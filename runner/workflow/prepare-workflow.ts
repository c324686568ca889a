import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  type BrowserRecord,
  CALLS_FILE,
  type ContractResult,
  type EvidenceFile,
  FILM_FILE,
  type MachineLoad,
  TRACE_FILE,
} from '#lib/domain/record/index.ts'
import type { Firing } from '../apps/app-pool.ts'
import { closeLog, RECORDING_FILE } from '../engine/collect-evidence.ts'
import { decideSubjectOutcome } from '../engine/decide-subject-outcome.ts'
import type {
  AttemptContext,
  AttemptEvaluation,
  PreparedAttempt,
  StoredEvidence,
} from '../engine/environment-adapter.ts'
import { writeAtomic } from '../engine/files.ts'
import { librarySandbox } from '../libraries/sandbox/library-sandbox.ts'
import type { FindSecrets } from '../redact/find-secrets.ts'
import { redactText } from '../redact/redact.ts'
import { redactLines } from '../redact/redact-lines.ts'
import { isRunnerError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { SubjectEnding, SubjectResult } from '../subjects/subject-driver.ts'
import { sealTranscript } from '../transcript/seal-transcript.ts'
import { browserRecord, voidIfStarved } from './describe-browser.ts'
import { type FilmShot, Filmstrip } from './filmstrip.ts'
import {
  FINAL_STATE_FILE,
  type FinalView,
  judgeLost,
  judgeWorkflow,
  readFinalView,
} from './judge-workflow.ts'
import type { PlayedWorkflow, WorkflowContext } from './workflow-player.ts'

/** State of an episode; each phase adds its part. */
type WorkflowState = {
  played: PlayedWorkflow | null
  processes: BrowserRecord['processes']
  load: MachineLoad | null
  view: FinalView | null
  contract: ContractResult | null
  firing: Firing | null
  reset: BrowserRecord['reset']
  film: Filmstrip
}

const UNKNOWN_PROCESSES: BrowserRecord['processes'] = {
  peakPssBytes: null,
  libraryPeakPssBytes: null,
  peakCount: null,
  zombies: null,
}

/** Returns a browser episode's phases over its context. */
export function prepareWorkflow(context: WorkflowContext): PreparedAttempt {
  const { tenant, lease, place, attempt, player, clock } = context
  const state: WorkflowState = {
    played: null,
    processes: UNKNOWN_PROCESSES,
    load: null,
    view: null,
    contract: null,
    firing: null,
    reset: null,
    film: new Filmstrip(() => clock.part('filmstrip', () => lease.film(tenant.origin))),
  }
  const release = async () => {
    state.reset ??= await clock.part('reset browser', lease.release)
  }
  return {
    play: () => play(context, state),
    restore: async () => [],
    judge: (subject) => clock.phase(() => judge(context, state, subject)),
    collect: async (subject) => {
      const files = await clock.phase(async () => {
        const frames = await state.film.close()
        const isStopped = subject.outcome?.status === 'cancelled'
        const isLost = state.played !== null && state.view === null
        if (context.fault !== null && !isStopped && !isLost) state.firing ??= await tenant.fired()
        const evidence = clock.part('keep evidence', () =>
          storeEvidence({ ...context, ...state, frames, ending: subject.ending }),
        )
        // The final state is read, so the browser is reset while the evidence is stored.
        const [stored] = await Promise.all([evidence, release()])
        return stored
      })
      const requests = state.view?.requests ?? null
      const browser = browserRecord({ ...state, requests, player, lease, clock })
      return { files, browser, fault: faultOf(context, state.firing) }
    },
    leave: async () => {
      await Promise.all([release(), tenant.close()]).catch(() => {})
      await place.remove()
      attempt.log.flush()
    },
  }
}

function faultOf(
  { fault }: WorkflowContext,
  firing: Firing | null,
): NonNullable<StoredEvidence['fault']> | null {
  if (fault === null) return null
  const point = firing ? `${fault.at}: ${firing.evidence}`.slice(0, 500) : fault.at
  return { plan: fault.kind, point, firedAt: firing?.at ?? null, recovered: null }
}

async function play(context: WorkflowContext, state: WorkflowState): Promise<SubjectResult> {
  const { attempt, task, player, pools, place, tenant, lease, files } = context
  const { slot, plan, marker, runMark, log, signal } = attempt
  // The task's limit is how long a user would wait; a plan can only shorten it.
  const timeoutMs = Math.min(plan.settings.timeoutMs, task.task.budgets.timeoutMs)
  const settings = { ...plan.settings, timeoutMs }
  const watch = lease.watch(marker)
  try {
    state.played = await player.act({
      task,
      settings,
      marker,
      runMark,
      log,
      signal,
      files,
      ...place,
      repetition: slot.repetition,
      isolation: lease.reach ? librarySandbox({ shown: [], sockets: [] }) : pools.isolation,
      origin: tenant.origin,
      endpoint: lease.endpoint,
      webdriverPort: lease.webdriverPort,
      reach: lease.reach,
      lostMs: watch.lostMs,
      follow: (tracePath) => state.film.follow(tracePath),
    })
  } finally {
    state.film.stop()
    const { processes, load } = await watch.stop()
    state.processes = processes
    state.load = load
  }
  const { ending } = state.played
  const outcome = decideSubjectOutcome(ending, settings)
  if (outcome?.status === 'cancelled') return { ending, outcome }
  return { ending, outcome: voidIfStarved(state.load, RUNNER_ENV) ?? outcome }
}

async function judge(
  { tenant, lease, task, clock }: WorkflowContext,
  state: WorkflowState,
  subject: SubjectResult,
): Promise<AttemptEvaluation | null> {
  if (subject.outcome?.status === 'cancelled' || state.played === null) return null
  const lost = (what: string) => judgeLost(state.played as PlayedWorkflow, what)
  if (lease.hasEnded()) return lost('the leased browser')
  try {
    await state.film.close()
    state.view = await readFinalView({ tenant, lease, clock }, task.task.contract)
    state.firing = state.view.firing
  } catch (error) {
    if (lease.hasEnded()) return lost('the leased browser')
    // Only a library without a sandbox could have ended the app's server.
    if (lease.reach === null && isRunnerError(error, 'app-server')) return lost('the app’s server')
    throw error
  }
  state.contract = state.view.contract
  return judgeWorkflow(state.played, state.view)
}

const MAX_STATE_CHARACTERS = 1 << 20

type Sources = {
  attempt: AttemptContext
  task: WorkflowContext['task']
  ending: SubjectEnding
  played: PlayedWorkflow | null
  view: FinalView | null
  firing: Firing | null
  frames: readonly FilmShot[]
}

type NewFile = { role: EvidenceFile['role']; path: string; bytes: Buffer }

/** Stores step trace, final state, screenshot and gateway evidence next to the log, each named by digest and size. */
async function storeEvidence({ attempt, task, ...parts }: Sources): Promise<EvidenceFile[]> {
  const clean = (text: string) => Buffer.from(redactText(text, attempt.find).text)
  const files = [
    ...traceFiles(parts, attempt.find),
    ...finalStateFiles(parts, clean),
    ...gatewayFiles(parts.ending, attempt.find),
    ...filmFiles(parts.frames, attempt.find),
  ]
  const stored = await Promise.all(files.map((file) => storeFile(attempt.attemptFolder, file)))
  const { taskId, title, expect } = task.task
  const transcript = sealTranscript(parts.ending.transcript ?? null, {
    task: { id: taskId, title },
    tests: [],
    reference: [],
    solution: [],
    given: [],
    expect,
  })
  return [closeLog(attempt.log), ...stored, ...(transcript === null ? [] : [transcript])]
}

type Clean = (text: string) => Buffer

function traceFiles({ played }: Pick<Sources, 'played'>, find: FindSecrets): NewFile[] {
  if (played === null) return []
  return [{ role: 'events', path: TRACE_FILE, bytes: lines(played.actions, find) }]
}

function finalStateFiles(
  { view, firing }: Pick<Sources, 'view' | 'firing'>,
  clean: Clean,
): NewFile[] {
  if (view === null) return []
  const { state, requests, url, screenshot } = view
  const text = `${JSON.stringify({ url, fault: firing, state, requests }, null, 2)}\n`
  const isShort = text.length <= MAX_STATE_CHARACTERS
  const shown = isShort ? text : `${text.slice(0, MAX_STATE_CHARACTERS)}\n[cut]\n`
  const evidence: NewFile = {
    role: 'contract-evidence',
    path: FINAL_STATE_FILE,
    bytes: clean(shown),
  }
  if (screenshot === null) return [evidence]
  return [evidence, { role: 'screenshot', path: 'final.png', bytes: screenshot }]
}

function gatewayFiles({ calls, recording }: SubjectEnding, find: FindSecrets): NewFile[] {
  const files: NewFile[] = []
  if (calls) files.push({ role: 'events', path: CALLS_FILE, bytes: lines(calls, find) })
  if (recording)
    files.push({
      role: 'gateway-recording',
      path: RECORDING_FILE,
      bytes: Buffer.from(recording),
    })
  return files
}

function filmFiles(frames: Sources['frames'], find: FindSecrets): NewFile[] {
  if (frames.length === 0) return []
  const described = frames.map(({ frame }) => frame)
  return [
    { role: 'events', path: FILM_FILE, bytes: lines(described, find) },
    ...frames.map(({ frame, jpeg }): NewFile => {
      return { role: 'screenshot', path: frame.path, bytes: jpeg }
    }),
  ]
}

function lines(values: readonly unknown[], find: FindSecrets): Buffer {
  return Buffer.from(redactLines(values, find))
}

async function storeFile(folder: string, { role, path, bytes }: NewFile): Promise<EvidenceFile> {
  await writeAtomic(join(folder, path), bytes)
  return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
}
