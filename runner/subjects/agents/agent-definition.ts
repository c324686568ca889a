import { digestJson } from '#lib/domain/digest/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { fillTemplate } from '../../placeholders.ts'
import { PROMPT_VERSION } from './prompt.ts'

/**
 * Identifies everything that shapes the agent's input: its definition and the wording of the prompt. Its support of MCP
 * servers and skills has no effect unless a plan's arms use it, so it is excluded.
 */
export function adapterVersion({
  mcp: _,
  skills: _skills,
  ...definition
}: AgentDefinition): string {
  return `${digestJson(definition).slice('sha256:'.length, 'sha256:'.length + 12)}-p${PROMPT_VERSION}`
}

/** Names that a definition may write as `${name}`; nothing else is replaced. */
export const PLACEHOLDERS = [
  'prompt',
  'promptFile',
  'model',
  'baseUrl',
  'key',
  'home',
  'workspace',
  'out',
  'effort',
] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
export type PlaceholderValues = Record<Placeholder, string>

/** Escapes a value for the double quotes of a TOML basic string. */
export function escapeToml(value: string): string {
  // An unpaired surrogate is not valid text: the round trip makes it U+FFFD.
  return JSON.stringify(Buffer.from(value).toString()).slice(1, -1).replaceAll('\x7f', '\\u007f')
}

/** Fills every text inside a JSON value, including member names; the shape stays unchanged. */
export function fillJson(value: unknown, values: PlaceholderValues): unknown {
  if (typeof value === 'string') return fillTemplate(value, values)
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      fillTemplate(name, values),
      fillJson(item, values),
    ]),
  )
}

/** Lists every text inside a JSON value, including member names. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...listTexts(item)])
}
