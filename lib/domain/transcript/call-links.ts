import type { TranscriptStep, TranscriptToolCall } from './transcript.ts'

/** The call that a result answers: the step that asked, and its place there. */
export type CallLink = { step: TranscriptStep; place: number }

type Open = CallLink & { call: TranscriptToolCall; isAnswered: boolean }

/** Calls of one conversation that are looked at again; of more, the oldest are forgotten. */
const MAX_OPEN = 200

/**
 * The call that each result answers, within its conversation: by its id; a call without one, as Gemini's, by its name,
 * else in the order of the calls.
 */
export function linkCalls(steps: readonly TranscriptStep[]): Map<TranscriptStep, CallLink> {
  const links = new Map<TranscriptStep, CallLink>()
  const threads = new Map<number, Open[]>()
  for (const step of steps) {
    const open = threads.get(step.thread) ?? []
    for (const [place, call] of step.toolCalls.entries())
      open.push({ step, place, call, isAnswered: false })
    threads.set(step.thread, open.slice(-MAX_OPEN))
    const answered = step.toolResult && findAnswered(open, step.toolResult.callId)
    if (!answered) continue
    answered.isAnswered = true
    links.set(step, { step: answered.step, place: answered.place })
  }
  return links
}

function findAnswered(open: readonly Open[], callId: string | null): Open | undefined {
  const waiting = open.filter(({ isAnswered }) => !isAnswered)
  if (callId === null) return waiting[0]
  const nameless = waiting.filter(({ call }) => call.id === null)
  return (
    open.findLast(({ call }) => call.id === callId) ??
    nameless.find(({ call }) => call.name === callId) ??
    nameless[0]
  )
}

/** The id of a call, or one made of its place. */
export function callIdOf({ step: { index, toolCalls }, place }: CallLink): string {
  return toolCalls[place]?.id ?? `step-${index}-${place}`
}
