import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  digestBytes,
  type Episode,
  outcomeWithVerdict,
  type Regrade,
} from '#lib/domain/record/index.ts'
import { areTestsOnline, isGitPath } from '#lib/domain/tasks/index.ts'
import { referenceCheck as harborReferenceCheck } from '../harbor/check-reference.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { judgeHarbor } from '../harbor/judge-harbor.ts'
import { openPlace } from '../harbor/open-place.ts'
import { referenceCheck } from '../repository/check-reference.ts'
import { judgeWork } from '../repository/judge-work.ts'
import type { Change } from '../repository/overlay.ts'
import { permissionsOf } from '../repository/permissions.ts'
import { type BaseSettings, prepareBase } from '../repository/prepare-base.ts'
import { type TakenWork, takeStored } from '../repository/take-changes.ts'
import { CHANGES_FILE, readChanges } from '../repository/write-changes.ts'
import { isRunnerError } from '../runner-error.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import {
  isAgentTask,
  isExercise,
  isHarbor,
  type LoadedExercise,
  type LoadedTask,
  type SourceText,
} from '../suites/task-folder.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { type ContractEvaluation, evaluateContract } from './evaluate-contract.ts'
import { isPlainFailure, ReferenceChecks } from './reference-checks.ts'
import { readPlainFile } from './workspace.ts'

/** Dependencies for judging stored work. */
export type JudgingDeps = {
  verifier: ExerciseVerifier
  /** Settings for judging patches; null = not possible here. */
  judging: BaseSettings | null
  signal: AbortSignal
  /** True = the work is from another machine and gets no network. */
  isForeign: boolean
}

type Reevaluation = Pick<ContractEvaluation, 'contract' | 'findings'>

const SOLUTION = 'solution/'
const MAX_BYTES = 1 << 20

/** The result of judging an episode's stored solution again, or why that is impossible. */
export type Judged =
  | {
      evaluation: Reevaluation
      before: Regrade['before']
      after: Regrade['after']
      files: SourceText[]
    }
  | { refused: Refusal; reason: string }

type Refusal = 'browser' | 'not-evaluated' | 'no-task' | 'no-solution' | 'no-place' | 'no-sandbox'

/**
 * Judges the solution in `folder` with this suite's tests. Of the envelope, only the paths and digests of the solution
 * are trusted. Rejects if the verifier itself fails.
 */
export async function judgeStored(
  folder: string,
  episode: Episode,
  task: LoadedTask | undefined,
  deps: JudgingDeps,
): Promise<Judged> {
  const refusal = refuse(episode, task)
  if (refusal) return refusal
  if (!task || !isAgentTask(task)) throw new Error('a task that is none was not refused')
  const judged = isExercise(task)
    ? await judgeExercise(folder, episode, task, deps)
    : await judgePatchHere(folder, episode, task, deps)
  if ('refused' in judged) return judged
  const { outcome, contract } = episode
  const before = { status: outcome.status, verdict: contract?.verdict ?? null }
  const { contract: again, findings } = judged.evaluation
  const { verdict } = again
  return {
    ...judged,
    before,
    after: outcomeWithVerdict(before, { verdict, findings: findings.length }),
  }
}

async function judgePatchHere(
  folder: string,
  episode: Episode,
  task: PatchTask,
  { judging, signal, isForeign }: JudgingDeps,
) {
  if (judging === null)
    return { refused: 'no-sandbox' as const, reason: 'neither bubblewrap nor docker works here' }
  return judgePatch(folder, episode, task, { settings: { ...judging, signal }, isForeign })
}

async function judgeExercise(
  folder: string,
  episode: Episode,
  task: LoadedExercise,
  { verifier, signal }: JudgingDeps,
) {
  const declared = task.task.files.solution
  const found = await readSolution(folder, episode, declared)
  if ('problem' in found) return { refused: 'no-solution' as const, reason: found.problem }
  const solution = {
    files: found.files,
    missing: declared.filter((path) => !found.files.some((file) => file.path === path)),
    findings: [],
  }
  return {
    evaluation: await evaluateContract(task, solution, verifier, signal),
    files: found.files,
  }
}

function refuse(
  { browser, contract, taskId, taskDigest }: Episode,
  task: LoadedTask | undefined,
): Extract<Judged, { refused: string }> | null {
  if (browser || (task && !isAgentTask(task)))
    return {
      refused: 'browser',
      reason:
        'a browser workflow is judged by what its app held at the end, which is gone: run it again instead',
    }
  if (contract === null)
    return { refused: 'not-evaluated', reason: 'its contract was never evaluated' }
  if (!task) return { refused: 'no-task', reason: `task ${taskId} is no longer in the suite here` }
  if (task.task.digest !== taskDigest)
    return {
      refused: 'no-task',
      reason: `task ${taskId} is another version here: that would be another contract`,
    }
  return null
}

/** The declared files of the stored solution, exactly as sealed; files that were not stored are left out. */
async function readSolution(
  folder: string,
  { evidence }: Episode,
  declared: readonly string[],
): Promise<{ files: SourceText[] } | { problem: string }> {
  const files = new Map<string, string>()
  for (const { path, role, digest } of evidence) {
    const name = path.slice(SOLUTION.length)
    if (role !== 'solution' || path !== `${SOLUTION}${name}` || !declared.includes(name)) continue
    const read = await readPlainFile(folder, path, MAX_BYTES)
    if (read.kind === 'missing') return { problem: `its ${path} is not here` }
    if (read.kind === 'refused') return { problem: `its ${path} ${read.reason}` }
    if (digestBytes(read.bytes) !== digest)
      return { problem: `its ${path} is not what was sealed: it was changed afterwards` }
    files.set(name, read.bytes.toString('utf8'))
  }
  return { files: [...files].map(([path, text]) => ({ path, text })) }
}

/** A task whose work is stored as a patch. */
type PatchTask = LoadedRepository | LoadedHarbor

type JudgedPatch =
  | { evaluation: Reevaluation; files: SourceText[] }
  | { refused: 'no-solution' | 'no-place'; reason: string }

const PATH = `solution/${CHANGES_FILE}`
const MAX_PATCH_BYTES = 64 << 20

/**
 * Judges the patch stored in `folder` again, in a fresh copy of this suite's task. Of the envelope, only the digest of
 * the patch is trusted; which of its paths count is decided again. `isForeign` = it is from another machine.
 */
async function judgePatch(
  folder: string,
  episode: Episode,
  task: PatchTask,
  { settings, isForeign }: { settings: BaseSettings; isForeign: boolean },
): Promise<JudgedPatch> {
  const place = refusePlace(task, isForeign)
  if (place !== null) return { refused: 'no-place', reason: place }
  const stored = await readStored(folder, episode)
  if ('problem' in stored) return { refused: 'no-solution', reason: stored.problem }
  const files = [{ path: CHANGES_FILE, text: stored.text }]
  const before = describeUntaken(episode)
  const evaluation = await judge(task, stored.changes, before, settings)
  const reason = isPlainFailure(evaluation) ? await findStaleProof(task, settings) : null
  return reason === null ? { files, evaluation } : { refused: 'no-place', reason }
}

/** Why the tests of a task are not meaningful here now; null = its own reference passes them. */
async function findStaleProof(task: PatchTask, settings: BaseSettings): Promise<string | null> {
  const check = isHarbor(task)
    ? await harborReferenceCheck(task, settings, settings.isolation)
    : referenceCheck(task, await prepareBase(task, settings), settings)
  if (check === null) return null
  try {
    await new ReferenceChecks().after(check)
    return null
  } catch (error) {
    if (isRunnerError(error, 'stale-task')) return error.message
    throw error
  }
}

async function judge(
  task: PatchTask,
  changes: Change[],
  problem: string | null,
  settings: BaseSettings,
): Promise<Reevaluation> {
  if (isHarbor(task)) {
    const place = await openPlace(task, settings, { asked: settings.isolation, name: null })
    try {
      const work = { changes, touched: [], findings: [], problem }
      return await judgeHarbor(place, work, task)
    } finally {
      await place.leave()
    }
  }
  const base = await prepareBase(task, settings)
  const permissionOf = permissionsOf(task.task, new Set(task.tests.map(({ path }) => path)))
  const taken: TakenWork = await takeStored(base.entries, changes, permissionOf)
  return judgeWork(task, base, { ...taken, problem: problem ?? taken.problem }, settings)
}

/** Why this task cannot be judged again here, as part of a sentence; null = it can. */
function refusePlace(task: PatchTask, isForeign: boolean): string | null {
  const reason = isHarbor(task) ? refuseHarbor(task) : refuseRepository(task)
  if (reason !== null || !isForeign) return reason
  return areTestsOnline(task.task)
    ? 'its tests use the network, which code from elsewhere is not given here'
    : null
}

function refuseHarbor({ task: { place }, refusal }: LoadedHarbor): string | null {
  if (refusal !== null) return `the task ${refusal}`
  return place.kind === 'files' ? null : `the task needs docker, because ${place.why}`
}

function refuseRepository({ folder, task: { source }, unproven }: LoadedRepository): string | null {
  if (unproven !== null) return `the task ${unproven}`
  return 'git' in source && isGitPath(source.git) && !existsSync(resolve(folder, source.git))
    ? 'the repository that the task starts from is not on this machine'
    : null
}

/** Work that could not be collected counts as unsolved, as the sender reported, because only a part of it is stored. */
function describeUntaken({ contract }: Episode): string | null {
  const taken = contract?.assertions.find(({ kind }) => kind === 'patch')
  return taken?.verdict === 'fail' ? taken.observed : null
}

async function readStored(
  folder: string,
  { evidence }: Episode,
): Promise<{ text: string; changes: Change[] } | { problem: string }> {
  const named = evidence.find(({ path, role }) => path === PATH && role === 'solution')
  if (named === undefined) return { problem: 'none is named' }
  const read = await readPlainFile(folder, PATH, MAX_PATCH_BYTES)
  if (read.kind === 'missing') return { problem: `its ${PATH} is not here` }
  if (read.kind === 'refused') return { problem: `its ${PATH} ${read.reason}` }
  if (digestBytes(read.bytes) !== named.digest)
    return { problem: `its ${PATH} is not what was sealed: it was changed afterwards` }
  const text = read.bytes.toString('utf8')
  const changes = readChanges(text)
  return changes === null ? { problem: `its ${PATH} is not a list of changes` } : { text, changes }
}
