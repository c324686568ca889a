import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '#lib/domain/environment.ts'
import type { Episode, EpisodeBody } from '#lib/domain/episode.ts'
import { type Clock, timed } from './clock.ts'
import type { Gate } from './contracts/exercise/gate-types.ts'
import type { SubjectDriver } from './controls/subject-driver.ts'
import { type AttemptIdentity, draftEpisode, unjudged, unknownEffort } from './episode-draft.ts'
import { decideCategory, decideOutcome } from './phases/classify.ts'
import { collectEvidence } from './phases/collect-evidence.ts'
import { collectSolution } from './phases/collect-solution.ts'
import { diffWorkspace } from './phases/diff-workspace.ts'
import { evaluateContract } from './phases/evaluate-contract.ts'
import { prepareWorkspace, type Workspace } from './phases/prepare-workspace.ts'
import { restoreProtected } from './phases/restore-protected.ts'
import { runSubject } from './phases/run-subject.ts'
import { seal } from './phases/seal.ts'
import { CappedLog } from './process/capped-log.ts'
import type { LoadedTask } from './suites/task-folder.ts'

const MOST_LOG_BYTES = 16 << 20

export type Phase = 'prepare' | 'subject' | 'restore' | 'verify' | 'evidence'

/** One attempt: what to run and where its record goes. */
export type EpisodeRequest = AttemptIdentity & {
  task: LoadedTask
  driver: SubjectDriver
  attemptFolder: string
  temporaryFolder: string
  runMark: string
}

/** What the house lends to every attempt. */
export type EpisodeHouse = { gate: Gate; clock: Clock; environment: Environment; signal: AbortSignal; onPhase: (phase: Phase) => void }

/**
 * Runs one subject on one task, once, whole: prepare, subject, restore, verify, evidence, seal. Every ending is a
 * sealed envelope; it throws only when the envelope itself cannot be written.
 */
export async function runEpisode(request: EpisodeRequest, house: EpisodeHouse): Promise<Episode> {
  const { driver, attemptFolder } = request
  await mkdir(attemptFolder, { recursive: true })
  const draft = { ...draftEpisode(request, driver, house.environment), startedAt: house.clock.now() }
  const log = new CappedLog(join(attemptFolder, 'subject.log'), MOST_LOG_BYTES)
  const start = house.clock.monotonicMs()
  const happened = await attempt(request, house, log).catch((error: Error) => harnessFault(error, log))
  const totalMs = Math.round((house.clock.monotonicMs() - start) * 10) / 10
  happened.effort.wall.totalMs = totalMs
  return seal({ ...draft, ...happened, endedAt: house.clock.now() }, attemptFolder)
}

type Happened = Omit<EpisodeBody, keyof ReturnType<typeof draftEpisode> | 'startedAt' | 'endedAt'>

/** The phases in order. Evidence before verdict: whatever went wrong, what the subject left behind is kept. */
async function attempt(request: EpisodeRequest, house: EpisodeHouse, log: CappedLog): Promise<Happened> {
  const { task, driver, plan, slot } = request
  const phase = <T>(name: Phase, run: () => Promise<T>) => {
    house.onPhase(name)
    return timed(house.clock, run)
  }
  const prepared = await phase('prepare', () => prepareWorkspace(task, request.temporaryFolder))
  const place = prepared.value
  try {
    const { repetition } = slot
    const { settings } = plan
    const marker = draftEpisode(request, driver, house.environment).episodeId
    const turn = { task, repetition, settings, marker, log, runMark: request.runMark, signal: house.signal, ...place }
    const subject = await phase('subject', () => runSubject(driver, turn))
    const { ending } = subject.value
    const restored = await phase('restore', () => restoreProtected(task, place.workspace))
    const verified = await phase('verify', () => verify(task, place, house, subject.value.outcome?.status === 'cancelled'))
    const { solution, evaluation } = verified.value
    const evidence = await phase('evidence', () => keepEvidence(request, place, log, verified.value))
    const outcome = subject.value.outcome ?? (evaluation ? decideOutcome(ending, evaluation) : cancelled())
    const agentSuccess = ending.cause === 'exited' && ending.exitCode === 0
    const testSuccess = evaluation?.contract.verdict === 'pass'
    const wall = { prepareMs: prepared.durationMs, subjectMs: subject.durationMs, restoreMs: restored.durationMs, verifyMs: verified.durationMs, evidenceMs: evidence.durationMs }
    return {
      ...unjudged(),
      outcome,
      failureCategory: decideCategory(outcome, evaluation, task, solution.files),
      contract: evaluation?.contract ?? null,
      agentSuccess,
      testSuccess,
      overallSuccess: agentSuccess && testSuccess,
      exit: { subject: { code: ending.exitCode, signal: ending.signal }, gate: evaluation?.exit ?? { code: null, signal: null } },
      effort: unknownEffort(wall),
      integrity: { protectedFilesTouched: restored.value.slice(0, 500), findings: evaluation?.findings ?? [] },
      evidence: evidence.value,
    }
  } finally {
    await place.remove()
  }
}

async function verify(task: LoadedTask, place: Workspace, { gate, signal }: EpisodeHouse, skip: boolean) {
  const solution = await collectSolution(task, place.workspace)
  if (skip || signal.aborted) return { solution, evaluation: null }
  const evaluation = await evaluateContract(task, solution, gate, signal).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  return { solution, evaluation: signal.aborted ? null : evaluation }
}

async function keepEvidence(request: EpisodeRequest, place: Workspace, log: CappedLog, verified: Awaited<ReturnType<typeof verify>>) {
  const diff = await diffWorkspace(request.task, place.workspace)
  const gateLog = verified.evaluation?.log ?? 'The contract was not evaluated.\n'
  const texts = { gateLog, diff, solution: verified.solution.files }
  const files = await collectEvidence(request.attemptFolder, texts)
  return [{ role: 'subject-log' as const, path: 'subject.log', ...log.close() }, ...files]
}

function cancelled(): EpisodeBody['outcome'] {
  return { status: 'cancelled', reason: 'the run was stopped before the contract was evaluated' }
}

/** A throw in a phase is our bug or our machine's trouble, never the subject's failure. */
function harnessFault(error: NodeJS.ErrnoException, log: CappedLog): Happened {
  const fault = error.code === 'ENOSPC' || error.code === 'EMFILE' || error.code === 'ENOMEM' ? 'infrastructure' : 'harness'
  const reason = error.message.slice(0, 1000)
  return {
    ...unjudged(),
    outcome: { status: 'void', fault, reason },
    failureCategory: fault,
    effort: unknownEffort(),
    evidence: [{ role: 'subject-log', path: 'subject.log', ...log.close() }],
  }
}
