import type { EpisodeBody } from '#lib/domain/episode.ts'
import type { TamperFinding } from '#lib/domain/tamper-finding.ts'
import type { Arena, Judgement, Scene, Visit } from './arena.ts'
import { findCopy } from './contracts/exercise/copies-reference.ts'
import type { Gate } from './contracts/exercise/gate-types.ts'
import type { SubjectDriver } from './controls/subject-driver.ts'
import { InfrastructureError } from './infrastructure-error.ts'
import type { Isolation } from './isolation/isolation.ts'
import { codingCategory, decideOutcome } from './phases/classify.ts'
import { collectEvidence } from './phases/collect-evidence.ts'
import { prepareWorkspace } from './phases/prepare-workspace.ts'
import { restoreProtected } from './phases/restore-protected.ts'
import { runSubject, type SubjectResult } from './phases/run-subject.ts'
import { type Verified, verifyWork } from './phases/verify-work.ts'
import { isExercise } from './suites/task-folder.ts'

/** Controls and scripted models hand the reference in on purpose. */
const COPYING = new Set<Arena['mode']>(['live', 'recorded-real'])

const UNKNOWN_EXIT: EpisodeBody['exit']['gate'] = { code: null, signal: null }

/** Exercises: a workspace of files, judged by the official gate from the solution's text alone. */
export function exerciseArena(
  driver: SubjectDriver,
  { gate, isolation }: { gate: Gate; isolation: Isolation },
): Arena {
  const { mode, secrets = [] } = driver
  const enter = (visit: Visit) => enterWorkspace(visit, driver, gate, isolation)
  const nothing = async () => {}
  return { mode, secrets, open: nothing, enter, close: nothing }
}

async function enterWorkspace(
  visit: Visit,
  driver: SubjectDriver,
  gate: Gate,
  isolation: Isolation,
): Promise<Scene> {
  const { task, slot, plan, marker, runMark, log, find, signal } = visit
  if (!isExercise(task)) throw new Error(`${task.task.taskId} is no exercise`)
  await beReady(gate, signal)
  const place = await prepareWorkspace(task, visit.temporaryFolder, visit.folderName)
  const { workspace } = place
  const { repetition } = slot
  const { settings } = plan
  let verified: Verified = { solution: { files: [], missing: [], findings: [] }, evaluation: null }
  return {
    play: () =>
      runSubject(driver, {
        ...{ task, repetition, settings, isolation, marker, runMark, log, signal },
        ...place,
      }),
    restore: () => restoreProtected(task, workspace),
    judge: async (subject) => {
      const isStopped = subject.outcome?.status === 'cancelled'
      verified = await verifyWork(task, workspace, { gate, signal }, isStopped)
      const copied = COPYING.has(driver.mode)
        ? await findCopy(verified.solution.files, task.reference)
        : null
      return judgementOf(verified, subject, task.stubs, copied)
    },
    collect: async ({ ending }) => {
      const { recording = null, calls = null } = ending
      const { droppings = [] } = driver
      const sources = { task, workspace, log, droppings, find, verified, recording, calls }
      return { files: await collectEvidence(visit.attemptFolder, sources) }
    },
    leave: place.remove,
  }
}

function judgementOf(
  { evaluation, solution }: Verified,
  { ending }: SubjectResult,
  stubs: Parameters<typeof codingCategory>[1],
  copied: TamperFinding | null,
): Judgement | null {
  if (evaluation === null) return null
  const { contract, exit = UNKNOWN_EXIT } = evaluation
  const findings = [...evaluation.findings, ...(copied ? [copied] : [])]
  const outcome = decideOutcome(ending, { contract, findings })
  const unsolvedAs = codingCategory(evaluation, stubs, solution.files)
  return { contract, findings, exit, outcome, unsolvedAs }
}

/** A verifier that cannot work is found before the subject starts, so that nobody is paid for nothing. */
async function beReady(gate: Gate, signal: AbortSignal): Promise<void> {
  try {
    await gate.ready(signal)
  } catch (error) {
    if (signal.aborted) throw error
    throw new InfrastructureError(`the verifier is not ready: ${(error as Error).message}`)
  }
}
