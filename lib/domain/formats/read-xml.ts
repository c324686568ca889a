/** One element as it opens or closes, or text between two. */
export type XmlPart =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

const DEEPEST = 50
const MOST_ATTRIBUTES = 50

const NAME = '[A-Za-z_:][\\w:.-]*'
const OPEN = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
const CLOSE = new RegExp(`</(${NAME})\\s*>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * The parts of a small XML document, one after the other. It is hostile until shown otherwise: a document type is
 * refused, only the five entities of XML itself and characters by number are known, and depth has an end. Throws an
 * Error whose message is the reason.
 */
export function* readXml(text: string): Generator<XmlPart> {
  const state: State = { open: [], hasRoot: false }
  for (let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0; at < text.length; ) {
    const { end, parts } = readPart(text, at)
    for (const part of parts) {
      const isInside = follow(state, part)
      if (isInside) yield part
    }
    at = end
  }
  if (!state.hasRoot) throw new Error('it is empty')
  if (state.open.length > 0) throw new Error('it ends in the middle')
}

type State = { open: string[]; hasRoot: boolean }

const BYTE_ORDER_MARK = 0xfeff

/** Whether the part belongs to the document; white space next to its root does not. */
function follow(state: State, part: XmlPart): boolean {
  const { open } = state
  if (part.kind === 'text') {
    if (open.length === 0 && part.text.trim() !== '') throw new Error('it has text outside of XML')
    return open.length > 0
  }
  if (part.kind === 'close') {
    if (open.pop() !== part.name) throw new Error(`</${part.name.slice(0, 40)}> closes nothing`)
    return true
  }
  if (open.length === 0 && state.hasRoot) throw new Error('it has more than one root element')
  if (open.length >= DEEPEST) throw new Error(`it is nested deeper than ${DEEPEST} elements`)
  state.hasRoot = true
  open.push(part.name)
  return true
}

/** What is at this place, and where it ends. */
function readPart(text: string, at: number): { end: number; parts: XmlPart[] } {
  const next = text.indexOf('<', at)
  if (next !== at) {
    const end = next === -1 ? text.length : next
    return { end, parts: [{ kind: 'text', text: decode(text.slice(at, end)) }] }
  }
  const skipped = skipBeside(text, at)
  if (skipped !== null) {
    const { end, data } = skipped
    return { end, parts: data === null ? [] : [{ kind: 'text', text: data }] }
  }
  const closing = matchAt(CLOSE, text, at)
  if (closing) return { end: CLOSE.lastIndex, parts: [{ kind: 'close', name: closing[1] ?? '' }] }
  const opening = matchAt(OPEN, text, at)
  if (!opening) throw new Error('it is not well-formed XML')
  const [, name = '', attributes = '', empty] = opening
  const part: XmlPart = { kind: 'open', name, attributes: readAttributes(attributes) }
  return { end: OPEN.lastIndex, parts: empty ? [part, { kind: 'close', name }] : [part] }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Comments and instructions say nothing; marked text is text. Null = it is neither. */
function skipBeside(text: string, at: number): { end: number; data: string | null } | null {
  const to = (end: string, from: number) => {
    const found = text.indexOf(end, at + from)
    if (found === -1) throw new Error('it ends in the middle')
    return found
  }
  if (text.startsWith('<![CDATA[', at)) {
    const end = to(']]>', '<![CDATA['.length)
    return { end: end + 3, data: text.slice(at + '<![CDATA['.length, end) }
  }
  if (text.startsWith('<!--', at)) return { end: to('-->', 4) + 3, data: null }
  if (text.startsWith('<?', at)) return { end: to('?>', 2) + 2, data: null }
  if (text.startsWith('<!', at))
    throw new Error('it declares a document type, which no report of tests needs')
  return null
}

/** Names of an attribute are the file's: none of them may reach a prototype. */
function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null)
  let count = 0
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (++count > MOST_ATTRIBUTES) throw new Error(`it has more than ${MOST_ATTRIBUTES} attributes`)
    attributes[name] = decode(double ?? single ?? '')
  }
  return attributes
}

function decode(text: string): string {
  return text.includes('&')
    ? text.replace(ENTITY, (_, named?: string, decimal?: string, hex?: string) => {
        if (named !== undefined) return ENTITIES[named] ?? ''
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      })
    : text
}
