import type { Conversation } from './read-conversation.ts'
import { resolveInput } from './resolve-input.ts'
import type { ModelScript, ScriptCall, ScriptTurn } from './script.ts'

export type ChosenTurn =
  | { ok: true; turn: ScriptTurn; calls: { name: string; input: unknown }[]; key: string }
  | { ok: false; problem: string }

const CLOSING: ScriptTurn = { say: 'Done.' }
const ASIDE: ScriptTurn = { say: 'A short title' }

/** The turn that answers a request, by the state of its conversation; past the script's end the model says it is done. */
export function chooseTurn(
  script: ModelScript,
  conversation: Conversation,
  request: unknown,
): ChosenTurn {
  if (isAside(script, conversation))
    return { ok: true, turn: script.aside ?? ASIDE, calls: [], key: 'aside' }
  const turn = script.turns[conversation.assistantTurns] ?? CLOSING
  const wanted = [...(turn.call ? [turn.call] : []), ...(turn.calls ?? [])]
  const calls = wanted.map((ways) => choose(ways, conversation.tools))
  const missing = calls.indexOf(null)
  if (missing >= 0)
    return {
      ok: false,
      problem: `turn ${conversation.assistantTurns + 1} of the script calls ${names(wanted[missing])}; offered are ${conversation.tools.join(', ')}`,
    }
  const key = String(conversation.assistantTurns)
  const found = calls.filter((call) => call !== null)
  try {
    const resolved = found.map(({ tool, input }) => ({
      name: tool,
      input: resolveInput(input, request),
    }))
    return { ok: true, turn, calls: resolved, key }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      problem: `turn ${conversation.assistantTurns + 1} of the script: ${problem}`,
    }
  }
}

/** A request without tools has nothing to do with a script that needs some. */
function isAside(script: ModelScript, { tools }: Conversation): boolean {
  return tools.length === 0 && script.turns.some(({ call, calls }) => call || calls)
}

function choose(ways: ScriptCall | ScriptCall[], tools: readonly string[]): ScriptCall | null {
  const all = Array.isArray(ways) ? ways : [ways]
  return all.find(({ tool }) => tools.includes(tool)) ?? null
}

function names(ways: ScriptCall | ScriptCall[] | undefined): string {
  return [ways ?? []]
    .flat()
    .map(({ tool }) => tool)
    .join(' or ')
}
