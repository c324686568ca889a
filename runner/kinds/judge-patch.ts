import { digestBytes } from '#lib/domain/digest/index.ts'
import { type StoredWork, WORKSPACE_FILE } from '#lib/domain/record/index.ts'
import { areTestsOnline } from '#lib/domain/tasks/index.ts'
import type { JudgedSolution, JudgingDeps, Reevaluation } from '../engine/judge-stored.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import { isPlainFailure, type ReferenceCheck, ReferenceChecks } from '../engine/reference-checks.ts'
import type { StoredSolutions } from '../engine/stored-solutions.ts'
import type { Change } from '../repository/overlay.ts'
import type { BaseSettings } from '../repository/prepare-base.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { CHANGES_FILE, readChanges, writeChanges } from '../repository/write-changes.ts'
import { isRunnerError } from '../runner-error.ts'
import type { AgentTask } from '../suites/task-folder.ts'

/** Judging of patches, as one kind implements it. */
type PatchJudge<T> = {
  /** Takes a whole final state, and the agent's log beside it, from another harness; absent = none are judged. */
  takeState?(task: T, state: Change[], log: string | null): Promise<TakenWork>
  /** Why this task cannot be judged here at all, as a part of a sentence; null = it can. */
  refuse(task: T): string | null
  referenceCheck(task: T, settings: BaseSettings): Promise<ReferenceCheck | null>
  judge(
    task: T,
    /** `problem` = why the stored changes are not all of the work. */
    work: TakenWork,
    settings: BaseSettings,
  ): Promise<Parameters<typeof isPlainFailure>[0] & Reevaluation>
}

/** Stored solutions of a kind whose work is a patch, judged in a sandbox of this machine. */
export function storedPatches<T extends AgentTask>(kind: PatchJudge<T>): StoredSolutions<T> {
  return {
    needsSandbox: true,
    judge: (folder, episode, task, deps) => judgePatch(folder, episode, { task, kind }, deps),
    findCopy: async () => null,
    isUntouched: async ({ failureCategory, mode }, [patch]) =>
      failureCategory === 'no-change' || (mode === 'reported' && patch?.text === NO_CHANGES),
  }
}

const PATH = `solution/${CHANGES_FILE}`
const NO_CHANGES = writeChanges([])
const TRAJECTORY = 'agent/trajectory.json'
const MAX_PATCH_BYTES = 64 << 20

/**
 * Judges the patch stored in `folder` again, in a fresh copy of this suite's task. Of the envelope, only the digest of
 * the patch is trusted; which of its paths count is decided again. `isForeign` = it is from another machine.
 */
async function judgePatch<T extends AgentTask>(
  folder: string,
  episode: StoredWork,
  { task, kind }: { task: T; kind: PatchJudge<T> },
  { judging, signal, isForeign }: JudgingDeps,
): Promise<JudgedSolution> {
  if (judging === null)
    return { refused: 'no-sandbox', reason: 'neither bubblewrap nor docker works here' }
  const settings = { ...judging, signal }
  const place = kind.refuse(task) ?? (isForeign ? refuseOnline(task) : null)
  if (place !== null) return { refused: 'no-place', reason: place }
  const stored = await readStored(folder, episode, { task, kind })
  if ('problem' in stored) return { refused: 'no-solution', reason: stored.problem }
  const { work, text } = stored
  const files = [{ path: CHANGES_FILE, text }]
  const evaluation = await kind.judge(task, work, settings)
  const reason = isPlainFailure(evaluation)
    ? await findStaleProof(await kind.referenceCheck(task, settings))
    : null
  return reason === null ? { files, evaluation } : { refused: 'no-place', reason }
}

/** Why the tests of a task are not meaningful here now; null = its own reference passes them. */
async function findStaleProof(check: ReferenceCheck | null): Promise<string | null> {
  if (check === null) return null
  try {
    await new ReferenceChecks().after(check)
    return null
  } catch (error) {
    if (isRunnerError(error, 'stale-task')) return error.message
    throw error
  }
}

function refuseOnline({ task }: AgentTask): string | null {
  return areTestsOnline(task)
    ? 'its tests use the network, which code from elsewhere is not given here'
    : null
}

/** Work that could not be taken is unsolved by its sender's own word: what was stored of it is not all. */
function describeUntaken({ contract }: StoredWork): string | null {
  const taken = contract?.assertions.find(({ kind }) => kind === 'patch')
  return taken?.verdict === 'fail' ? taken.observed : null
}

type Stored = { work: TakenWork; text: string } | { problem: string }

async function readStored<T>(
  folder: string,
  episode: StoredWork,
  { task, kind }: { task: T; kind: PatchJudge<T> },
): Promise<Stored> {
  const patch = await readNamed(folder, episode, PATH)
  if (patch !== null) {
    if ('problem' in patch) return patch
    const work = { touched: [], findings: [], problem: describeUntaken(episode) }
    return { work: { ...work, changes: patch.changes }, text: patch.text }
  }
  const state = kind.takeState && (await readNamed(folder, episode, WORKSPACE_FILE))
  if (!kind.takeState || !state) return { problem: 'none is named' }
  if ('problem' in state) return state
  const log = await readPlainFile(folder, TRAJECTORY, MAX_PATCH_BYTES)
  const message = log.kind === 'read' ? log.bytes.toString('utf8') : null
  const work = await kind.takeState(task, state.changes, message)
  return { work, text: writeChanges(work.changes) }
}

/** Reads a stored list of changes; null = the envelope names none. */
async function readNamed(
  folder: string,
  { evidence }: StoredWork,
  at: string,
): Promise<{ changes: Change[]; text: string } | { problem: string } | null> {
  const named = evidence.find(({ path, role }) => path === at && role === 'solution')
  if (named === undefined) return null
  const read = await readPlainFile(folder, at, MAX_PATCH_BYTES)
  if (read.kind === 'missing') return { problem: `its ${at} is not here` }
  if (read.kind === 'refused') return { problem: `its ${at} ${read.reason}` }
  if (digestBytes(read.bytes) !== named.digest)
    return { problem: `its ${at} is not what was sealed: it was changed afterwards` }
  const text = read.bytes.toString('utf8')
  const changes = readChanges(text)
  return changes === null ? { problem: `its ${at} is not a list of changes` } : { changes, text }
}
