import { z } from 'zod'
import { parseJson, unknownName } from '#lib/domain/text/index.ts'
import { type AgentTask, agentSteps } from '../suites/task-folder.ts'
import type { Tokens } from './tokens.ts'

const count = z.number().int().nonnegative()

/** A value `{ "$match": pattern }` anywhere in the input is looked up in the conversation (`resolveInput`). */
const callSchema = strict({ tool: z.string(), input: z.record(z.string(), z.unknown()) })

/** Tokens as defined in tokens.ts: `input` includes the cached ones, `output` the reasoning. */
const usageSchema = strict({
  input: count.optional(),
  output: count.optional(),
  cacheRead: count.optional(),
  cacheWrite: count.optional(),
  reasoning: count.optional(),
})

/** An error returned before the turn succeeds: one per request, in order. */
const errorSchema = strict({
  status: z.number().int().min(400).max(599),
  message: z.string().optional(),
  retryAfterSeconds: count.optional(),
})

const turnSchema = strict({
  say: z.string().optional(),
  reason: z.string().optional(),
  /** One tool call; a list has variants for different agents, of which the first whose tool is offered is used. */
  call: z.union([callSchema, z.array(callSchema).min(1)]).optional(),
  /** Several tool calls in one turn. */
  calls: z.array(z.union([callSchema, z.array(callSchema).min(1)])).optional(),
  usage: usageSchema.optional(),
  stop: z.enum(['end', 'length', 'refusal']).optional(),
  /** Wait before the head, and between two events. */
  delayMs: count.optional(),
  eventDelayMs: count.optional(),
  errors: z.array(errorSchema).optional(),
  /** Ends the connection after this many events. */
  cutAfterEvents: count.optional(),
})

/** A scripted conversation: turn n responds to the request with n-1 assistant turns. */
export const modelScriptSchema = strict({
  /** Model named in responses; null or absent = the requested one. */
  model: z.string().nullable().optional(),
  turns: z.array(turnSchema).min(1),
  /** Response to requests that offer no tools while the script calls some: titles, summaries. */
  aside: turnSchema.optional(),
})
export type ModelScript = z.infer<typeof modelScriptSchema>
export type ScriptTurn = z.infer<typeof turnSchema>
export type ScriptCall = z.infer<typeof callSchema>

const DEFAULT_USAGE: Tokens = {
  input: 100,
  output: 20,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
}

/** A turn's tokens, with defaults for missing counts. */
export function scriptedTokens(turn: ScriptTurn): Tokens {
  const given = Object.entries(turn.usage ?? {}).filter(([, value]) => value !== undefined)
  return { ...DEFAULT_USAGE, ...Object.fromEntries(given) }
}

/** Rejects unknown keys: a misspelt key must not silently change what is tested. */
function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownName('key', issue.keys[0] ?? '', Object.keys(shape))
        : undefined,
  })
}

type ParsedScript = { ok: true; value: ModelScript } | { ok: false; problem: string }

/** A script from a file: `{ "turns": [ … ] }`, or just the list of turns. */
export function parseScript(text: string): ParsedScript {
  const json = parseJson(text)
  if (json === undefined) return { ok: false, problem: 'the script is not JSON' }
  const parsed = modelScriptSchema.safeParse(Array.isArray(json) ? { turns: json } : json)
  if (parsed.success) return { ok: true, value: parsed.data }
  const [problem] = parsed.error.issues.flatMap(listMistakes).sort(byUnknownKey)
  const place = problem?.path.join('.') || 'the script'
  return { ok: false, problem: `${place}: ${problem?.message}` }
}

type Mistake = { path: PropertyKey[]; message: string; isUnknownKey: boolean }

/**
 * Lists the mistakes of an issue: if a call and a list of calls are both allowed, only those of the form that was used.
 */
function listMistakes({ path, ...issue }: z.core.$ZodIssue): Mistake[] {
  if (issue.code !== 'invalid_union')
    return [{ path, message: issue.message, isUnknownKey: issue.code === 'unrecognized_keys' }]
  const written = issue.errors.find(
    ([first]) => first?.code !== 'invalid_type' || first.path.length > 0,
  )
  if (written === undefined) return [{ path, message: issue.message, isUnknownKey: false }]
  return written.flatMap(listMistakes).map((one) => ({ ...one, path: [...path, ...one.path] }))
}

/** Sorts missing keys last: they may only be misspelt. */
function byUnknownKey(a: Mistake, b: Mistake): number {
  return Number(b.isUnknownKey) - Number(a.isUnknownKey)
}

/**
 * A scripted model that knows the reference: it reads the stubs, writes the reference with the agent's own shell, and
 * reports success. It tests the path from prompt to verdict, not any skill: mode `mock`.
 */
export function solveScript(task: AgentTask): ModelScript {
  const turns = agentSteps(task).flatMap((step) => {
    const { look, write } = step.forAgents.solve(step)
    return [
      { say: 'I look at what is there.', call: shell(look, 'Show what is there') },
      { call: shell(write, 'Write the solution') },
      { say: 'The solution is written.' },
    ]
  })
  return { turns }
}

/** The same command for each agent's shell tool; the first one that is offered is used. */
function shell(command: string, description: string): ScriptCall[] {
  const common = { command, description }
  return [
    { tool: 'Bash', input: common },
    { tool: 'bash', input: common },
    { tool: 'run_shell_command', input: { ...common, is_background: false } },
    { tool: 'exec_command', input: { cmd: command } },
    { tool: 'shell', input: { command: ['/bin/sh', '-c', command] } },
    { tool: 'Shell', input: { command } },
    { tool: 'execute_command', input: { command, requires_approval: false } },
    { tool: 'run_commands', input: { commands: [command] } },
    { tool: 'developer__shell', input: { command } },
    { tool: 'Execute', input: { command } },
    { tool: 'execute_bash', input: { command } },
  ]
}
