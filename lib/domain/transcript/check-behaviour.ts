import { groupBy } from '../record/index.ts'
import { type Behaviour, formatBehaviour } from '../tasks/index.ts'
import { countOf, parseJson, pluralForm } from '../text/index.ts'
import type { BehaviourResult, Transcript, TranscriptToolCall } from './transcript.ts'

const MAX_STEPS_NAMED = 20

type Call = TranscriptToolCall & { step: number }

/**
 * Checks expected behaviours on a transcript. What an incomplete transcript does not show is inconclusive, never a pass
 * or a failure.
 */
export function checkBehaviours(
  { steps, end }: Pick<Transcript, 'steps' | 'end'>,
  expected: readonly Behaviour[],
): BehaviourResult[] {
  const calls = steps.flatMap(({ index, toolCalls }) =>
    toolCalls.map((call): Call => ({ ...call, step: index })),
  )
  const isWhole = end !== null && end.droppedSteps === 0 && end.cutChars === 0
  return expected.map((one) => check(one, calls, isWhole))
}

function check(one: Behaviour, calls: readonly Call[], isWhole: boolean): BehaviourResult {
  const found = findCalls(one, calls)
  // More of the transcript could only add calls.
  const isWanted = one.called !== undefined || one.read !== undefined
  const isOver = found.length > (one['max-calls'] ?? 0)
  const observed = `${countOf(found.length, 'call')}${isWhole ? '' : ' in the part that is stored'}`
  return {
    sentence: formatBehaviour(one),
    verdict: isOver || isWhole ? (isOver === isWanted ? 'pass' : 'fail') : 'inconclusive',
    observed,
    steps: [...new Set(found.map(({ step }) => step))].slice(0, MAX_STEPS_NAMED),
  }
}

/** Returns the calls that an expected behaviour is about. */
function findCalls(one: Behaviour, calls: readonly Call[]): readonly Call[] {
  const tool = one.called ?? one['never-called']
  if (tool !== undefined) return calls.filter((call) => isTool(call, tool))
  const path = one.read ?? one['never-read']
  return path === undefined ? calls : calls.filter((call) => names(call, path))
}

/** An MCP tool is found by its own name too: `search` is called by `mcp__docs__search`. */
function isTool({ name }: Call, wanted: string): boolean {
  const [own, requested] = [name.toLowerCase(), wanted.toLowerCase()]
  return own === requested || own.endsWith(`__${requested}`)
}

/** True if the arguments contain the path as a whole, in a command line or below another folder too. */
function names({ arguments: given }: Call, path: string): boolean {
  const parsed = parseJson(given)
  const texts = parsed === undefined ? [given] : listTexts(parsed)
  return texts.some((text) => containsPath(text, path))
}

function containsPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const after = text.slice(at + path.length, at + path.length + 2)
    if (!/[\w.-]/.test(text[at - 1] ?? '') && !/^(?:[\w-]|\.\w)/.test(after)) return true
  }
  return false
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listTexts)
}

/** `2 of 3 episodes, 1 unknown` for each expected behaviour, in the order of their first appearance. */
export function tallyBehaviours(results: readonly (readonly BehaviourResult[])[]): string[] {
  return [...groupBy(results.flat(), ({ sentence }) => sentence)].map(([sentence, all]) => {
    const count = (verdict: BehaviourResult['verdict']) =>
      all.filter((one) => one.verdict === verdict).length
    const unknown = count('inconclusive')
    const noun = pluralForm(all.length, 'episode', 'episodes')
    return `${sentence}: ${count('pass')} of ${all.length} ${noun}${unknown > 0 ? `, ${unknown} unknown` : ''}`
  })
}
