import { at, listAt, textAt } from './json-value.ts'
import { partsOfRequest } from './request-parts.ts'

/** State stored by the provider for the key under an id of its own. */
type Named = { what: string; id: string | null }

/**
 * Finds stored state of the provider that a request refers to and that this attempt did not get from it: a response,
 * conversation, prompt or file of another attempt or of the key's owner. Null = nothing. Such work is not the attempt's
 * own, is in no transcript and was not counted in any of its steps.
 */
export function findForeignState(json: unknown, answered: ReadonlySet<string>): string | null {
  const named = [...namedBeside(json), ...listAt(json, 'tools').flatMap(namedByTool)]
  for (const part of partsOfRequest(json)) named.push(...namedByPart(part))
  return named.find(({ id }) => id === null || !answered.has(id))?.what ?? null
}

function namedBeside(json: unknown): Named[] {
  const container = at(json, 'container')
  const own: [string, unknown][] = [
    ['previous_response_id', at(json, 'previous_response_id')],
    ['conversation', at(json, 'conversation')],
    ['prompt', at(json, 'prompt', 'id')],
    ['prompt_id', at(json, 'prompt_id')],
    ['preset', at(json, 'preset') ?? presetOf(at(json, 'model'))],
    ['container', typeof container === 'string' ? container : at(container, 'id')],
    ['cachedContent', at(json, 'cachedContent') ?? at(json, 'cached_content')],
  ]
  return own.flatMap(([what, value]) => name(what, value))
}

/** OpenRouter accepts stored settings in place of a model: `@preset/name`, or `model@preset/name`. */
function presetOf(model: unknown): unknown {
  return typeof model === 'string' && model.includes('@preset/') ? model : undefined
}

/** An attempt cannot create file stores, but a tool of the provider can create a container. */
function namedByTool(tool: unknown): Named[] {
  const container = at(tool, 'container')
  const files = [
    ...listAt(tool, 'vector_store_ids'),
    ...listAt(tool, 'file_ids'),
    ...listAt(container, 'file_ids'),
    ...listAt(at(tool, 'fileSearch') ?? at(tool, 'file_search'), 'fileSearchStoreNames'),
  ]
  return [
    ...name('container', typeof container === 'string' ? container : undefined),
    ...files.flatMap((id) => name('a stored file', id)),
  ]
}

function namedByPart(part: unknown): Named[] {
  const type = textAt(part, 'type') ?? ''
  const isFile = /file|image|document|upload/.test(type)
  return [
    ...(type === 'item_reference' ? name('item_reference', at(part, 'id')) : []),
    ...(isFile ? name('a stored file', at(part, 'file_id') ?? at(part, 'file', 'file_id')) : []),
    ...name('a stored file', at(part, 'fileData', 'fileUri') ?? at(part, 'file_data', 'file_uri')),
  ]
}

function name(what: string, value: unknown): Named[] {
  if (value === undefined || value === null) return []
  return [{ what, id: typeof value === 'string' ? value : null }]
}

/** Ids in a response by which a later request of the same attempt may refer to it. */
export function* idsOfAnswer(message: unknown): Generator<string> {
  const places = [at(message, 'id'), at(message, 'container_id'), at(message, 'container', 'id')]
  for (const id of places) if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) yield id
}

const MAX_ID_LENGTH = 500
