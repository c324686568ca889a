import { isMeasured, type MeasuredEpisode } from '#lib/domain/episode.ts'
import type { EvaluationLine, EvaluationOrder } from '#lib/domain/evaluation/evaluation.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import { agrees } from '#lib/domain/regrade.ts'
import { findCopy } from '../contracts/exercise/copies-reference.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import { isExercise, type LoadedTask } from '../suites/task-folder.ts'
import { type Judged, judgeStored } from './regrade-episode.ts'

/** No evaluation takes longer, however patient its processes are. */
const LONGEST_MS = 10 * 60_000

type Answer = Omit<Extract<EvaluationLine, { kind: 'evaluated' }>, 'kind'>
type Ordered = EvaluationOrder['episodes'][number]
type Court = { tasks: ReadonlyMap<string, LoadedTask>; gate: Gate; signal: AbortSignal }

/**
 * Judges one stored solution from elsewhere and says whether the verdict is the one that was handed in. Another verdict
 * has to come true twice, with new held-out inputs, before it is one. Null = it was stopped from outside.
 */
export async function evaluateStored(
  { envelope, folder }: Ordered,
  { tasks, gate, signal }: Court,
): Promise<Answer | null> {
  const parsed = parseEpisode(JSON.parse(envelope))
  if (!parsed.ok || !isMeasured(parsed.value))
    throw new Error('an envelope that was kept is no measured episode')
  const episode = parsed.value
  const bare = { episodeId: episode.episodeId, after: null }
  if (folder === null) return { ...bare, result: 'no-evidence', reason: null }
  const task = tasks.get(episode.taskId)
  // Else whoever calls an exercise a browser workflow would be believed without being asked.
  if (episode.browser && task && isExercise(task))
    return { ...bare, result: 'disagreed', reason: 'it tells of a browser, and its task has none' }
  const limit = AbortSignal.timeout(LONGEST_MS)
  const stop = AbortSignal.any([signal, limit])
  try {
    return await judgeTwice(episode, task, () =>
      judgeStored(folder, episode, task, { gate, signal: stop }),
    )
  } catch (error) {
    if (signal.aborted) return null
    const reason = limit.aborted ? 'it took longer than ten minutes' : lastLine(error)
    return { ...bare, result: 'trouble', reason }
  }
}

async function judgeTwice(
  episode: MeasuredEpisode,
  task: LoadedTask | undefined,
  judge: () => Promise<Judged>,
): Promise<Answer> {
  const first = await judge()
  const forged = sayForged(episode, first)
  if (forged !== null && !('refused' in first))
    return {
      ...{ episodeId: episode.episodeId, result: 'disagreed', reason: forged },
      after: first.after,
    }
  const last = 'refused' in first || isAgreed(first) ? first : await judge()
  const copied = await sayCopied(episode, last, task)
  return copied ?? conclude(episode, last)
}

/** References are public: whoever sends one as an agent's work has solved nothing. A scaffold may be one. */
async function sayCopied(
  { episodeId, mode, outcome }: MeasuredEpisode,
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
function sayForged({ contract }: MeasuredEpisode, judged: Judged): string | null {
  if ('refused' in judged || !contract) return null
  const ours = judged.evaluation.contract
  if (contract.expectedTests !== ours.expectedTests)
    return `its contract expected ${contract.expectedTests ?? 'no'} tests, the suite has ${ours.expectedTests}`
  const isPass = contract.verdict === 'pass' && ours.verdict === 'pass'
  return isPass && contract.passedTests !== ours.passedTests
    ? `its contract passed ${contract.passedTests ?? 'no'} tests, here ${ours.passedTests} pass`
    : null
}

function conclude(episode: MeasuredEpisode, judged: Judged): Answer {
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
