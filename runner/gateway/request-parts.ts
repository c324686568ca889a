import { at } from './json-value.ts'

/** Members that contain data of an agent and its tools, whatever their own members are called. */
const DATA = new Set(['arguments', 'args', 'input_schema', 'parameters', 'response'])

const LISTS = ['messages', 'input', 'contents', 'system', 'systemInstruction', 'system_instruction']

/** Yields every object in the messages of a request, of any protocol: messages, their parts, parts of tool results. */
export function* partsOfRequest(json: unknown): Generator<object> {
  for (const open = LISTS.map((list) => at(json, list)); open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) yield value
    for (const [name, member] of Object.entries(value)) if (!isData(name, member)) open.push(member)
  }
}

/** Arguments of a tool call are data as well; elsewhere `input` is a list of messages. */
function isData(name: string, member: unknown): boolean {
  return DATA.has(name) || (name === 'input' && !Array.isArray(member))
}
