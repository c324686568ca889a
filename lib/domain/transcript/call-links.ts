import type { TranscriptStep, TranscriptToolCall } from './transcript.ts'

/** The call that a result belongs to: its step, and its place there. */
export type CallLink = { step: TranscriptStep; place: number }

type Open = CallLink & { call: TranscriptToolCall; isAnswered: boolean }

/** Maximum open calls per conversation; the oldest are dropped. */
const MAX_OPEN = 200

/**
 * Maps each result to its call within its conversation: by id; for calls without one, such as Gemini's, by name, else
 * in the order of the calls.
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

/** The id of a call, or one derived from its place. */
export function callIdOf({ step: { index, toolCalls }, place }: CallLink): string {
  return toolCalls[place]?.id ?? `step-${index}-${place}`
}
