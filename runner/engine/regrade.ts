import { appendFileSync, linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  agrees,
  countOf,
  digestBytes,
  type Environment,
  type Episode,
  type EvaluationLine,
  type EvaluationRequest,
  parseEpisode,
  REGRADES_FILE,
  type Regrade,
  regradeLineSchema,
} from '#lib/domain/record/index.ts'
import { isAgentTask, isExercise, type LoadedTask } from '../suites/task-folder.ts'
import { findCopy } from '../verify/exercise/decide-tests.ts'
import { writeAtomic } from './files.ts'
import { type Judged, type JudgingDeps, judgeStored } from './judge-stored.ts'
import { RunFolder } from './run-folder.ts'

type RegradeDeps = Omit<JudgingDeps, 'isForeign'> & {
  environment: Pick<Environment, 'harness' | 'libraries'>
  now: () => string
}

/** A whole record without its place, or why this episode cannot be regraded. */
type Regraded = { record: Omit<Regrade, 'path'> } | { skipped: string }

/**
 * Evaluates one sealed episode's contract anew, from the solution that was stored with it and nothing else: the gate
 * sees text in memory, in a process of its own, as it did the first time.
 */
export async function regradeEpisode(
  runFolder: string,
  episode: Episode,
  task: LoadedTask | undefined,
  { gate, judging, environment, signal, now }: RegradeDeps,
): Promise<Regraded> {
  const { episodeId, seal, taskId, taskDigest, repetition, attempt } = episode
  const folder = join(runFolder, new RunFolder(runFolder).attemptPath(taskId, repetition, attempt))
  const court = { gate, judging, signal, isForeign: false }
  const judged = await judgeStored(folder, episode, task, court)
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

const MOST_REGRADES = 1000

/** Keeps a regrade beside its episode under the next free number, and its short form in the run's list. */
export async function writeRegrade(
  runFolder: string,
  { taskId, repetition, attempt }: Episode,
  record: Omit<Regrade, 'path'>,
): Promise<Regrade> {
  const folder = new RunFolder(runFolder).attemptPath(taskId, repetition, attempt)
  for (let number = 1; number <= MOST_REGRADES; number++) {
    const path = join(folder, `regrade-${number}.json`)
    const whole: Regrade = { ...record, path }
    if (!(await writeNew(join(runFolder, path), `${JSON.stringify(whole)}\n`))) continue
    appendFileSync(
      join(runFolder, REGRADES_FILE),
      `${JSON.stringify(regradeLineSchema.parse(whole))}\n`,
    )
    return whole
  }
  throw new Error(`${folder} holds ${MOST_REGRADES} regrades already`)
}

/** Whole or not at all, and never over a file that is there: false = it is. */
async function writeNew(path: string, text: string): Promise<boolean> {
  const draft = `${path}.draft-${process.pid}`
  await writeAtomic(draft, text)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** No evaluation takes longer, however patient its processes are. */
const LONGEST_MS = 10 * 60_000

type Answer = Omit<Extract<EvaluationLine, { kind: 'evaluated' }>, 'kind'>
type Ordered = EvaluationRequest['episodes'][number]
type Evaluating = Omit<JudgingDeps, 'isForeign'> & { tasks: ReadonlyMap<string, LoadedTask> }

/**
 * Judges one stored solution from elsewhere and says whether the verdict is the one that was uploaded. Another verdict
 * has to come true twice, with new held-out inputs, before it is one. Null = it was stopped from outside.
 */
export async function evaluateStored(
  { envelope, folder }: Ordered,
  { tasks, gate, judging, signal }: Evaluating,
): Promise<Answer | null> {
  const parsed = parseEpisode(JSON.parse(envelope))
  if (!parsed.ok) throw new Error('a stored envelope is not a measured episode')
  const episode = parsed.value
  const bare = { episodeId: episode.episodeId, after: null }
  if (folder === null) return { ...bare, result: 'no-evidence', reason: null }
  const task = tasks.get(episode.taskId)
  // Else a sender could avoid the evaluation by calling a task a browser workflow.
  if (episode.browser && task && isAgentTask(task))
    return { ...bare, result: 'disagreed', reason: 'it reports a browser, and its task has none' }
  const limit = AbortSignal.timeout(LONGEST_MS)
  const stop = AbortSignal.any([signal, limit])
  try {
    return await judgeTwice(episode, task, () =>
      judgeStored(folder, episode, task, { gate, judging, signal: stop, isForeign: true }),
    )
  } catch (error) {
    if (signal.aborted) return null
    const reason = limit.aborted ? 'it took longer than ten minutes' : lastLine(error)
    return { ...bare, result: 'trouble', reason }
  }
}

async function judgeTwice(
  episode: Episode,
  task: LoadedTask | undefined,
  judge: () => Promise<Judged>,
): Promise<Answer> {
  const first = await judge()
  const forged = describeForged(episode, first)
  if (forged !== null && !('refused' in first))
    return {
      ...{ episodeId: episode.episodeId, result: 'disagreed', reason: forged },
      after: first.after,
    }
  const last = 'refused' in first || isAgreed(first) ? first : await judge()
  const copied = await describeCopied(episode, last, task)
  return copied ?? conclude(episode, last)
}

/** References are public: an agent that submits one has solved nothing. A scaffold may submit one. */
async function describeCopied(
  { episodeId, mode, outcome }: Episode,
  judged: Judged,
  task: LoadedTask | undefined,
): Promise<Answer | null> {
  if ('refused' in judged || mode === 'scaffold' || outcome.status !== 'solved') return null
  const copy = task && isExercise(task) ? await findCopy(judged.files, task.reference) : null
  if (copy === null) return null
  const after = { status: 'tampered', verdict: judged.after.verdict } as const
  return { episodeId, result: 'disagreed', reason: copy.detail, after }
}

const isAgreed = (judged: Judged): boolean =>
  !('refused' in judged) && agrees(judged.before, judged.after)

/** The names of the tests are the suite's: a verdict over fewer, or others, is a verdict about something else. */
function describeForged({ contract }: Episode, judged: Judged): string | null {
  if ('refused' in judged || !contract) return null
  const ours = judged.evaluation.contract
  if (contract.expectedTests !== ours.expectedTests)
    return `its contract expected ${countOf(contract.expectedTests ?? 0, 'test')}, the suite has ${ours.expectedTests}`
  const isPass = contract.verdict === 'pass' && ours.verdict === 'pass'
  return isPass && contract.passedTests !== ours.passedTests
    ? `its contract passed ${countOf(contract.passedTests ?? 0, 'test')}, here ${ours.passedTests} pass`
    : null
}

function conclude(episode: Episode, judged: Judged): Answer {
  const { episodeId } = episode
  if ('refused' in judged) {
    const result = judged.refused === 'not-evaluated' ? 'trouble' : judged.refused
    return { episodeId, result, reason: judged.reason.slice(0, 500), after: null }
  }
  const { before, after, evaluation, files } = judged
  if (before.verdict === 'pass' && files.length === 0)
    return { episodeId, result: 'no-solution', reason: 'none is named', after: null }
  if (agrees(before, after)) return { episodeId, result: 'agreed', reason: null, after }
  const codes = evaluation.findings.map(({ code }) => code)
  const why = codes.length > 0 ? ` (${[...new Set(codes)].slice(0, 3).join(', ')})` : ''
  const said = `sent as ${before.status}, is ${after.status} here with verdict ${after.verdict}${why}`
  return { episodeId, result: 'disagreed', reason: said, after }
}

function lastLine(error: unknown): string {
  const lines = String((error as Error).message ?? error).trim()
  return (lines.split('\n').at(-1) || 'the verifier did not answer').slice(0, 300)
}
