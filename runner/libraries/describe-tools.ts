import { z } from 'zod'
import type { ToolDescription } from './library-adapter.ts'

const parameterSchema = z.looseObject({ description: z.string().optional() })
const inputSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

/** Keywords that define the values of a parameter. */
const TYPE_WORDS = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'] as const

/** A count of a total; a share is only shown with both. */
type Part = { have: number; of: number }

/** Measures how completely a server describes its tools to a model: diagnostic, never ranked. */
type ToolSchemaReport = {
  tools: number
  parameters: number
  described: Part
  parametersTyped: Part
  parametersDescribed: Part
  /** Tools with parameters that list the required ones; an empty list counts too. */
  requiredListed: Part
  /** Tokens of the complete tool list as sent to a model, as one JSON text, in the o200k encoding; null = unknown. */
  tokens: number | null
}

/** Analyses the tools that a server lists. */
export async function describeTools(tools: readonly ToolDescription[]): Promise<ToolSchemaReport> {
  const schemas = tools.map((tool) => inputSchemaOf(tool.inputSchema))
  const parameters = schemas.flatMap(({ properties = {} }) => Object.values(properties))
  const withParameters = schemas.filter(({ properties = {} }) => Object.keys(properties).length > 0)
  return {
    tools: tools.length,
    parameters: parameters.length,
    described: part(tools, ({ description }) => description.trim() !== ''),
    parametersTyped: part(parameters, isTyped),
    parametersDescribed: part(parameters, isDescribed),
    requiredListed: part(withParameters, ({ required }) => required !== undefined),
    tokens: await countToolTokens([JSON.stringify(tools)]),
  }
}

/** Returns the tools whose parameters all define their values. */
export function listTypedTools(tools: readonly ToolDescription[]): ToolDescription[] {
  return tools.filter((tool) =>
    Object.values(inputSchemaOf(tool.inputSchema).properties ?? {}).every(isTyped),
  )
}

function inputSchemaOf(schema: unknown) {
  return inputSchema.catch({}).parse(schema)
}

function part<T>(all: readonly T[], has: (one: T) => boolean): Part {
  return { have: all.filter(has).length, of: all.length }
}

function isTyped(parameter: unknown): boolean {
  return (
    typeof parameter === 'object' &&
    parameter !== null &&
    TYPE_WORDS.some((word) => word in parameter)
  )
}

function isDescribed(parameter: unknown): boolean {
  const parsed = parameterSchema.safeParse(parameter)
  return parsed.success && (parsed.data.description ?? '').trim() !== ''
}

/** Treats text of a page that looks like special tokens as plain text. */
const PLAIN = { disallowedSpecial: new Set<string>() }

/**
 * Counts the tokens of several texts in the o200k encoding, each separately. The encoding is a package of 30 MB that
 * comes with the larger browser libraries; null = not installed.
 */
export async function countToolTokens(texts: readonly string[]): Promise<number | null> {
  const encoding = await import('gpt-tokenizer/encoding/o200k_base').catch(() => null)
  if (encoding === null) return null
  return texts.reduce((sum, text) => sum + encoding.encode(text, PLAIN).length, 0)
}
