import { z } from 'zod'
import type { ToolDescription } from './library-adapter.ts'

const parameterSchema = z.looseObject({ description: z.string().optional() })
const inputSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

/** What says of a parameter what values it takes. */
const TYPE_WORDS = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'] as const

/** A count of a total; a share is only shown with both. */
type Part = { have: number; of: number }

/** How completely a server describes its tools to a model: a diagnosis, never a rank. */
type ToolSchemaReport = {
  tools: number
  parameters: number
  described: Part
  parametersTyped: Part
  parametersDescribed: Part
  /** Of the tools with parameters, those that say which are required; an empty list says it too. */
  requiredListed: Part
  /** Tokens of all that a model is sent of them, as one JSON text, by the o200k encoding; null = unknown. */
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

/** The tools all of whose parameters say what values they take. */
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

/** Words of a page that look like the encoding's own marks are text like any other. */
const PLAIN = { disallowedSpecial: new Set<string>() }

/**
 * Tokens of several texts by the o200k encoding, each on its own. The encoding is a package of 30 MB that comes with the
 * larger browser libraries; null = it is not installed.
 */
export async function countToolTokens(texts: readonly string[]): Promise<number | null> {
  const encoding = await import('gpt-tokenizer/encoding/o200k_base').catch(() => null)
  if (encoding === null) return null
  return texts.reduce((sum, text) => sum + encoding.encode(text, PLAIN).length, 0)
}
