import { groupBy } from '../../record/index.ts'
import { countOf } from '../../text/index.ts'
import type { TranscriptStep, TranscriptToolCall } from '../transcript.ts'
import { indexesOf, type RequestedCall } from './asked-calls.ts'
import { listResults } from './call-results.ts'
import type { Scanner } from './scan-knowledge.ts'

const LOOP_LENGTH = 4
/** A loop may consist of a few different calls. */
const MAX_CYCLE = 3

type Played = { call: RequestedCall; key: string; result: string | null }
type Loop = { calls: readonly Played[]; cycle: number }

/** Finds tool calls repeated in a row with the same results; polling is different, because its results change. */
export const findLoop: Scanner = ({ steps, calls: toolCalls }) => {
  const threads = groupBy(listPlayed(steps, toolCalls), ({ call: { step } }) => `${step.thread}`)
  let longest: Loop = { calls: [], cycle: 1 }
  for (const played of threads.values())
    for (let cycle = 1; cycle <= MAX_CYCLE; cycle++) {
      const calls = longestCycle(played, cycle)
      if (calls.length > longest.calls.length) longest = { calls, cycle }
    }
  const { calls, cycle } = longest
  const [first] = calls
  if (!first) return null
  const times = Math.floor(calls.length / cycle)
  const name = JSON.stringify(first.call.call.name.slice(0, 60))
  const what =
    cycle === 1 ? `call of ${name}` : `${countOf(cycle, 'call')}, beginning with ${name},`
  return {
    scanner: 'loop',
    sentence: `The same ${what} ${countOf(times, 'time')} in a row.`,
    steps: indexesOf(calls.map((one) => one.call)),
  }
}

function listPlayed(steps: readonly TranscriptStep[], calls: readonly RequestedCall[]): Played[] {
  const results = new Map<RequestedCall, string>()
  for (const [step, call] of listResults(steps, calls))
    results.set(call, withoutTimes(step.toolResult?.text ?? ''))
  return calls.map((one) => ({
    call: one,
    key: keyOf(one.call),
    result: results.get(one) ?? null,
  }))
}

/** Returns the longest part in which every call equals the one `cycle` before it; empty if it is not a loop. */
function longestCycle(played: readonly Played[], cycle: number): readonly Played[] {
  let best: readonly Played[] = []
  let from = 0
  for (let place = 1; place <= played.length; place++) {
    if (place - from < cycle || isSame(played[place], played[place - cycle])) continue
    if (place - from > best.length) best = played.slice(from, place)
    from = place - cycle + 1
  }
  return best.length >= LOOP_LENGTH * cycle ? best : []
}

function isSame(a: Played | undefined, b: Played | undefined): boolean {
  if (a === undefined || b === undefined || a.key !== b.key) return false
  return a.result === null || b.result === null || a.result === b.result
}

/** Free-text arguments for people, different each time. */
const REMARKS = new Set(['description', 'explanation', 'reason', 'thought', 'thoughts'])

function keyOf({ name, arguments: given }: TranscriptToolCall): string {
  try {
    const parsed: unknown = JSON.parse(given)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error()
    const parameters = Object.entries(parsed).filter(([member]) => !REMARKS.has(member))
    return `${name} ${JSON.stringify(parameters)}`
  } catch {
    return `${name} ${given}`
  }
}

function withoutTimes(text: string): string {
  return text.replace(
    /\b\d+(?:\.\d+)?(?=\s*(?:ms|s|sec|seconds?|minutes?)\b)|\b\d\d:\d\d:\d\d(?:\.\d+)?/g,
    '#',
  )
}
