import type { TranscriptStep } from '../transcript.ts'
import type { Asked } from './asked-calls.ts'

/** Calls of one conversation that wait for their results; of more, the oldest are forgotten. */
const MOST_WAITING = 100

/** The call that each result answers: by its id, else the oldest of its conversation without a result. */
export function listResults(
  steps: readonly TranscriptStep[],
  asked: readonly Asked[],
): Map<TranscriptStep, Asked> {
  const results = new Map<TranscriptStep, Asked>()
  const threads = new Map<number, Asked[]>()
  let place = 0
  for (const step of steps) {
    const waiting = threads.get(step.thread) ?? []
    for (; asked[place]?.step === step; place++) waiting.push(asked[place] as Asked)
    threads.set(step.thread, waiting.slice(-MOST_WAITING))
    const answered = takeAnswered(step, threads.get(step.thread) ?? [])
    if (answered) results.set(step, answered)
  }
  return results
}

function takeAnswered({ toolResult }: TranscriptStep, waiting: Asked[]): Asked | null {
  if (toolResult === null) return null
  const { callId } = toolResult
  const place = callId === null ? 0 : waiting.findLastIndex(({ call }) => call.id === callId)
  return place === -1 ? null : (waiting.splice(place, 1)[0] ?? null)
}
