import { at } from './json-value.ts'

/** Members that are data of an agent and its tools, whatever they are called inside. */
const DATA = new Set(['arguments', 'args', 'input_schema', 'parameters', 'response'])

const LISTS = ['messages', 'input', 'contents', 'system', 'systemInstruction', 'system_instruction']

/** Every object in the messages of a request, of any protocol: messages, their parts, parts of tool results. */
export function* partsOfRequest(json: unknown): Generator<object> {
  for (const open = LISTS.map((list) => at(json, list)); open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) yield value
    for (const [name, member] of Object.entries(value)) if (!isData(name, member)) open.push(member)
  }
}

/** What a model handed to a tool is data as well: `input` is a list of messages elsewhere. */
function isData(name: string, member: unknown): boolean {
  return DATA.has(name) || (name === 'input' && !Array.isArray(member))
}
