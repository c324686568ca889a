import { parseJson } from '../meter/json-value.ts'
import { type ModelScript, modelScriptSchema } from './script.ts'

export type ParsedScript = { ok: true; value: ModelScript } | { ok: false; problem: string }

/** A script from a file: `{ "turns": [ … ] }`, or just the list of turns. */
export function parseScript(text: string): ParsedScript {
  const json = parseJson(text)
  if (json === undefined) return { ok: false, problem: 'the script is not JSON' }
  const parsed = modelScriptSchema.safeParse(Array.isArray(json) ? { turns: json } : json)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = parsed.error.issues[0]
  const place = issue?.path.join('.') || 'the script'
  return { ok: false, problem: `${place}: ${issue?.message}` }
}
