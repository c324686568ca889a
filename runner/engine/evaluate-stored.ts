import {
  type Arm,
  agrees,
  type Episode,
  type EvaluationRequest,
  parseEpisode,
  parseStoredWork,
  type StoredWork,
} from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { type AnswerFinder, listArmTexts } from '../verify/exercise/find-answers.ts'
import { checkModelRecord } from './check-model-record.ts'
import { type Judged, type JudgingDeps, judgeStored } from './judge-stored.ts'
import type { Evaluated, StoredSolutions } from './stored-solutions.ts'

/** Maximum time of one evaluation, whatever limits its processes have. */
const MAX_EVALUATION_MS = 10 * 60_000

type Stored = StoredSolutions<LoadedTask> | null
type Ordered = EvaluationRequest['episodes'][number]
type Evaluating = Omit<JudgingDeps, 'isForeign' | 'judge'> & {
  tasks: ReadonlyMap<string, LoadedTask>
  /** Searches for references and tests of the suite's tasks. */
  findAnswer: AnswerFinder
  /** The arms of the run's plan. */
  arms: readonly Arm[]
  /** Treatment of stored work by the kind of the tasks: its solutions, or the state that an app ended in. */
  stored: Stored
  evaluateState?:
    | ((folder: string, episode: Episode, task: LoadedTask) => Promise<Evaluated>)
    | undefined
}

/**
 * Judges one stored solution from elsewhere and reports whether the verdict equals the uploaded one. A different
 * verdict must occur twice, with new held-out inputs, before it counts. Null = stopped from outside.
 */
export async function evaluateStored(
  { envelope, folder }: Ordered,
  evaluating: Evaluating,
): Promise<Evaluated | null> {
  const { tasks, signal, evaluateState } = evaluating
  const parsed = parseStoredWork(JSON.parse(envelope))
  if (!parsed.ok) throw new Error('a stored envelope has no work to judge')
  const episode = parsed.value
  const bare = { episodeId: episode.episodeId, after: null }
  if (folder === null) return { ...bare, result: 'no-evidence', reason: null }
  const task = tasks.get(episode.taskId)
  // A sender must not avoid the evaluation by declaring a task to be a browser workflow.
  if (episode.browser && task && !evaluateState)
    return { ...bare, result: 'disagreed', reason: 'it reports a browser, and its task has none' }
  const given = findGivenAnswer(episode, evaluating)
  if (given !== null) return { ...bare, result: 'disagreed', reason: given }
  const limit = AbortSignal.timeout(MAX_EVALUATION_MS)
  const stopped = { ...evaluating, signal: AbortSignal.any([signal, limit]) }
  try {
    const result =
      task && evaluateState
        ? await judgeState(envelope, (measured) => evaluateState(folder, measured, task))
        : await judgeTwice(folder, episode, task, stopped)
    return { ...result, ...(await describeModel(folder, episode, result)) }
  } catch (error) {
    if (signal.aborted) return null
    const reason = limit.aborted ? 'it took longer than ten minutes' : lastLine(error)
    return { ...bare, result: 'trouble', reason }
  }
}

/** A workflow of another harness has no state that could be judged. */
async function judgeState(
  envelope: string,
  judge: (episode: Episode) => Promise<Evaluated>,
): Promise<Evaluated> {
  const parsed = parseEpisode(JSON.parse(envelope))
  if (parsed.ok) return judge(parsed.value)
  const { episodeId } = JSON.parse(envelope)
  const reason = 'workflows of other harnesses are not judged'
  return { episodeId, result: 'no-place', reason, after: null }
}

/** Finds the part of the plan that contains a reference or tests, in one clause; null = none. */
function findGivenAnswer(
  { subject }: StoredWork,
  { arms, findAnswer }: Pick<Evaluating, 'arms' | 'findAnswer'>,
): string | null {
  const arm = arms.find(({ name }) => name === subject.arm)
  const found = findAnswer(arm ? listArmTexts(arm) : [])
  if (found !== null) return `in the arm ${subject.arm}, ${found}`
  const text = subject.settings.customInstruction ?? ''
  return findAnswer([{ where: 'the custom instruction', text }])
}

/** Checks the files of a model-driven episode. */
async function describeModel(
  folder: string,
  episode: StoredWork,
  { isUntouched }: Pick<Evaluated, 'isUntouched'>,
): Promise<Pick<Evaluated, 'modelEvidence' | 'isUntouched'>> {
  const { problem, isRecorded } = await checkModelRecord(folder, episode)
  return {
    ...(problem && { modelEvidence: problem }),
    // With its recording, an attempt without work shows what the agent did instead.
    isUntouched: isUntouched && !isRecorded ? true : undefined,
  }
}

async function judgeTwice(
  folder: string,
  episode: StoredWork,
  task: LoadedTask | undefined,
  { stored, ...evaluating }: Evaluating,
): Promise<Evaluated> {
  const deps = { ...evaluating, judge: stored?.judge ?? null, isForeign: true }
  const judge = () => judgeStored(folder, episode, task, deps)
  const first = await judge()
  const forged = describeForged(episode, first)
  if (forged !== null && !('refused' in first))
    return {
      episodeId: episode.episodeId,
      result: 'disagreed',
      reason: forged,
      after: first.after,
    }
  const last = 'refused' in first || isAgreed(first) ? first : await judge()
  const copied = await describeCopied(episode, last, task, stored)
  if (copied) return copied
  const isUntouched = await hasNoWork(episode, last, task, stored)
  return { ...conclude(episode, last), ...(isUntouched && { isUntouched }) }
}

/** References are public: an agent that submits one has solved nothing. A control may submit one. */
async function describeCopied(
  { episodeId, mode, outcome }: StoredWork,
  judged: Judged,
  task: LoadedTask | undefined,
  stored: Stored,
): Promise<Evaluated | null> {
  if ('refused' in judged || mode === 'scaffold' || outcome.status !== 'solved') return null
  const copy = task && stored ? await stored.findCopy(judged.files, task) : null
  if (copy === null) return null
  const after = { status: 'tampered', verdict: judged.after.verdict } as const
  return { episodeId, result: 'disagreed', reason: copy.detail, after }
}

/** An unsolved attempt that left the stubs unchanged: there was nothing to judge. */
async function hasNoWork(
  episode: StoredWork,
  judged: Judged,
  task: LoadedTask | undefined,
  stored: Stored,
): Promise<boolean> {
  if ('refused' in judged || episode.outcome.status === 'solved' || !task || !stored) return false
  return stored.isUntouched(episode, judged.files, task)
}

const isAgreed = (judged: Judged): boolean =>
  !('refused' in judged) && agrees(judged.before, judged.after)

/** The suite defines the names of the tests: a verdict over fewer or others is not a verdict about this task. */
function describeForged({ contract }: StoredWork, judged: Judged): string | null {
  if ('refused' in judged || !contract) return null
  const ours = judged.evaluation.contract
  if (contract.expectedTests !== ours.expectedTests)
    return `its contract expected ${countOf(contract.expectedTests ?? 0, 'test')}, the suite has ${ours.expectedTests}`
  const isPass = contract.verdict === 'pass' && ours.verdict === 'pass'
  return isPass && contract.passedTests !== ours.passedTests
    ? `its contract passed ${countOf(contract.passedTests ?? 0, 'test')}, here ${ours.passedTests} pass`
    : null
}

function conclude(episode: StoredWork, judged: Judged): Evaluated {
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
  const message = `sent as ${before.status}, is ${after.status} here with verdict ${after.verdict}${why}`
  return { episodeId, result: 'disagreed', reason: message, after }
}

function lastLine(error: unknown): string {
  const lines = String((error as Error).message ?? error).trim()
  return (lines.split('\n').at(-1) || 'the verifier did not answer').slice(0, 300)
}
