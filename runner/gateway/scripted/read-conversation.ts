import { at, listAt, textAt } from '../meter/json-value.ts'
import type { Protocol } from '../protocol.ts'

export type Conversation = {
  /** Answers of the model that the request holds. */
  assistantTurns: number
  /** Names of the tools that may be called. */
  tools: string[]
}

/** What a request says about how far the conversation is: two items of the model in a row are one turn. */
export function readConversation(protocol: Protocol, body: unknown): Conversation {
  const items = protocol === 'gemini' ? listAt(body, 'contents') : itemsOf(protocol, body)
  const byModel = items.map((item) => isByModel(protocol, item))
  const assistantTurns = byModel.filter((own, index) => own && !byModel[index - 1]).length
  return { assistantTurns, tools: toolsOf(protocol, body) }
}

function itemsOf(protocol: Protocol, body: unknown): readonly unknown[] {
  return listAt(body, protocol === 'openai-responses' ? 'input' : 'messages')
}

function isByModel(protocol: Protocol, item: unknown): boolean {
  const role = at(item, 'role')
  if (protocol !== 'openai-responses') return role === 'assistant' || role === 'model'
  const type = textAt(item, 'type') ?? 'message'
  return role === 'assistant' || type === 'reasoning' || type.endsWith('_call')
}

function toolsOf(protocol: Protocol, body: unknown): string[] {
  const tools = listAt(body, 'tools')
  if (protocol === 'gemini')
    return tools.flatMap((tool) =>
      listAt(tool, 'functionDeclarations').flatMap((one) => textAt(one, 'name') ?? []),
    )
  return tools.flatMap(
    (tool) =>
      textAt(tool, 'name') ?? textAt(tool, 'function', 'name') ?? textAt(tool, 'type') ?? [],
  )
}
