import sax, { type SAXOptions, type SAXParser } from 'sax'

/** Receives the elements and texts of a document in order. An exception ends the reading. */
export type XmlHandler = {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void
  close: (name: string) => void
  text?: (text: string) => void
}

/** Why a document is refused, as the end of a sentence that begins with its name. */
export class XmlProblem extends Error {}

const MAX_DEPTH = 50
const MAX_ATTRIBUTES = 50

/** The package's types lack the option that disables HTML entities. */
const OPTIONS: SAXOptions & { strictEntities: boolean } = { strictEntities: true }

/**
 * Reads an XML document in chunks. The input is not trusted: document types are refused before their declarations take
 * effect, only the five predefined entities are known, and depth and attributes are limited. Throws an XmlProblem.
 */
export class XmlReader {
  readonly #parser: SAXParser
  readonly #handler: XmlHandler
  #depth = 0
  #hasRoot = false

  constructor(handler: XmlHandler) {
    this.#handler = handler
    this.#parser = sax.parser(true, OPTIONS)
    this.#parser.ondoctype = () => {
      throw new XmlProblem('it declares a document type, which no report of tests needs')
    }
    this.#parser.onerror = (error) => {
      throw new XmlProblem(`it is not well-formed XML: ${error.message.split('\n')[0]}`)
    }
    // Called at each attribute, so that an excess is refused before all are collected.
    let attributes = 0
    this.#parser.onattribute = () => {
      if (++attributes > MAX_ATTRIBUTES)
        throw new XmlProblem(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    }
    this.#parser.onopentag = (tag) => {
      attributes = 0
      this.#open(tag.name, tag.attributes as Record<string, string>)
    }
    this.#parser.onclosetag = (name) => {
      this.#depth--
      handler.close(name)
    }
    const text = (part: string) => {
      if (this.#depth > 0) handler.text?.(part)
    }
    this.#parser.ontext = text
    this.#parser.oncdata = text
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  /** Throws an XmlProblem if the document is empty or incomplete. */
  end(): void {
    this.#parser.close()
    if (!this.#hasRoot) throw new XmlProblem('it is empty')
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#depth === 0 && this.#hasRoot)
      throw new XmlProblem('it has more than one root element')
    if (this.#depth >= MAX_DEPTH)
      throw new XmlProblem(`it is nested deeper than ${MAX_DEPTH} elements`)
    this.#hasRoot = true
    this.#depth++
    // Attribute names are untrusted: none may reach a prototype.
    this.#handler.open(name, Object.assign(Object.create(null), attributes))
  }
}
