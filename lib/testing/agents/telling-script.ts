import { solveScript } from '#runner/agents/solve-script.ts'
import type { ModelScript, ScriptCall, ScriptTurn } from '#runner/gateway/scripted/script.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

/** Variables of this name are put into the server's environment, and no subject may have them. */
export const PLANTED = 'PLANTED_SECRET'
/** What the first command prints when the planted variable is not there. */
export const NOT_SEEN = 'nothing-was-planted-here'

const ASIDE = { input: 7000, output: 300 }

/**
 * The script that solves the task, with figures of its own at each turn, and a first command that looks into its
 * environment for what the server must not pass on.
 */
export function tellingScript(task: LoadedExercise): ModelScript {
  const turns = solveScript(task).turns.map((turn, index) => ({
    ...turn,
    ...(index === 0 && { call: ways(turn).map(lookAroundFirst) }),
    usage: { input: 1000 + 10 * index, output: 50 + index, cacheRead: 200 * index },
  }))
  return { turns, aside: { say: 'A title', usage: ASIDE } }
}

/** Tokens of the whole script, answered once, with so many questions beside it (titles, summaries). */
export function tokensOf({ turns }: ModelScript, asides: number) {
  const sum = (key: 'input' | 'output') =>
    turns.reduce((total, { usage }) => total + (usage?.[key] ?? 0), 0) + asides * ASIDE[key]
  return { input: sum('input'), output: sum('output') }
}

/** How the agents call the tools that the script uses. */
export function toolNames({ turns }: ModelScript): string[] {
  return [...new Set(turns.flatMap((turn) => ways(turn).map(({ tool }) => tool)))]
}

function ways({ call = [] }: ScriptTurn): ScriptCall[] {
  return [call].flat()
}

function lookAroundFirst({ tool, input }: ScriptCall): ScriptCall {
  const before = `env | grep ${PLANTED} || echo ${NOT_SEEN}; `
  const put = (value: unknown, key: string): unknown => {
    if (['command', 'cmd'].includes(key) && typeof value === 'string') return before + value
    if (Array.isArray(value)) return [...value.slice(0, -1), before + String(value.at(-1))]
    return value
  }
  return {
    tool,
    input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, put(value, key)])),
  }
}
