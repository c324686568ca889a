import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest.ts'
import type { Environment } from '#lib/domain/environment.ts'
import type { MeasuredEpisode } from '#lib/domain/episode.ts'
import { agrees, endingAfter, type Regrade } from '#lib/domain/regrade.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import { type Evaluation, evaluateContract } from '../phases/evaluate-contract.ts'
import { readPlainFile } from '../phases/read-plain-file.ts'
import { RunFolder } from '../store/run-folder.ts'
import { isExercise, type LoadedTask, type SourceText } from '../suites/task-folder.ts'

const SOLUTION = 'solution/'
const MOST_BYTES = 1 << 20

type House = {
  gate: Gate
  environment: Pick<Environment, 'harness' | 'libraries'>
  signal: AbortSignal
  now: () => string
}

/** A whole record without its place, or why this episode cannot be regraded. */
export type Regraded = { record: Omit<Regrade, 'path'> } | { skipped: string }

/**
 * Evaluates one sealed episode's contract anew, from the solution that was stored with it and nothing else: the gate
 * sees text in memory, in a process of its own, as it did the first time.
 */
export async function regradeEpisode(
  runFolder: string,
  episode: MeasuredEpisode,
  task: LoadedTask | undefined,
  { gate, environment, signal, now }: House,
): Promise<Regraded> {
  const { episodeId, seal, taskId, taskDigest, repetition, attempt } = episode
  const folder = join(runFolder, new RunFolder(runFolder).attemptPath(taskId, repetition, attempt))
  const judged = await judgeStored(folder, episode, task, { gate, signal })
  if ('refused' in judged) return { skipped: judged.reason }
  const { evaluation, before, after, files } = judged
  const { version, commit } = environment.harness
  const record: Omit<Regrade, 'path'> = {
    ...{ kind: 'proofboard-regrade', schemaVersion: 1, at: now(), episodeId, seal, taskDigest },
    ...{ gate: { version, commit }, libraries: environment.libraries, before, after },
    agrees: agrees(before, after),
    solution: files.map(({ path, text }) => ({ path, digest: digestBytes(text) })),
    contract: evaluation.contract,
    findings: evaluation.findings,
  }
  return { record }
}

/** What the stored solution of an episode came to when it was judged once more; or why it cannot be. */
export type Judged =
  | {
      evaluation: Evaluation
      before: Regrade['before']
      after: Regrade['after']
      files: SourceText[]
    }
  | { refused: 'browser' | 'not-evaluated' | 'no-task' | 'no-solution'; reason: string }

/**
 * Judges the solution that lies in `folder` by the task as this suite has it: its tests, its names of tests. Nothing of
 * the envelope but the paths and digests of the solution is believed. Rejects where the gate has trouble of its own.
 */
export async function judgeStored(
  folder: string,
  episode: MeasuredEpisode,
  task: LoadedTask | undefined,
  { gate, signal }: Pick<House, 'gate' | 'signal'>,
): Promise<Judged> {
  const refusal = refuse(episode, task)
  if (refusal) return refusal
  if (!task || !isExercise(task)) throw new Error('a task that is none was not refused')
  const declared = task.task.files.solution
  const found = await readSolution(folder, episode, declared)
  if ('problem' in found) return { refused: 'no-solution', reason: found.problem }
  const solution = {
    files: found.files,
    missing: declared.filter((path) => !found.files.some((file) => file.path === path)),
    findings: [],
  }
  const evaluation = await evaluateContract(task, solution, gate, signal)
  const { outcome, contract } = episode
  const before = { status: outcome.status, verdict: contract?.verdict ?? null }
  const { verdict } = evaluation.contract
  const after = endingAfter(before, { verdict, findings: evaluation.findings.length })
  return { evaluation, before, after, files: found.files }
}

function refuse(
  { browser, contract, taskId, taskDigest }: MeasuredEpisode,
  task: LoadedTask | undefined,
): Extract<Judged, { refused: string }> | null {
  if (browser || (task && !isExercise(task)))
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

/** The declared files of the stored solution, exactly as they were sealed; a file that was not stored is left out. */
async function readSolution(
  folder: string,
  { evidence }: MeasuredEpisode,
  declared: readonly string[],
): Promise<{ files: SourceText[] } | { problem: string }> {
  const files = new Map<string, string>()
  for (const { path, role, digest } of evidence) {
    const name = path.slice(SOLUTION.length)
    if (role !== 'solution' || path !== `${SOLUTION}${name}` || !declared.includes(name)) continue
    const read = await readPlainFile(folder, path, MOST_BYTES)
    if (read.kind === 'missing') return { problem: `its ${path} is not here` }
    if (read.kind === 'refused') return { problem: `its ${path} ${read.reason}` }
    if (digestBytes(read.bytes) !== digest)
      return { problem: `its ${path} is not what was sealed: it was changed afterwards` }
    files.set(name, read.bytes.toString('utf8'))
  }
  return { files: [...files].map(([path, text]) => ({ path, text })) }
}
