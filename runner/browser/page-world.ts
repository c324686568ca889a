import { get } from 'node:http'
import { z } from 'zod'
import type { BrowserConnection, CdpTarget } from './browser-connection.ts'
import { withTimeout } from './browser-connection.ts'

const evaluatedSchema = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
})
const frameSchema = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) })
const worldSchema = z.object({ executionContextId: z.number() })

/**
 * Functions that read a page, evaluated in an isolated world that the page cannot change. Elements are only accessed
 * through prototypes, because a form's fields can shadow its members. Null = too large.
 */
const PAGE_SCRIPT = `(() => {
  const MAX_ELEMENTS = 20000, MAX_CHARS = 4000000
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get
  const find = Document.prototype.querySelectorAll
  const innerText = getter(HTMLElement, 'innerText')
  const textContent = getter(Node, 'textContent')
  const values = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].map((type) => [type, getter(type, 'value')])
  const attribute = Element.prototype.getAttribute
  const rects = Element.prototype.getClientRects
  const check = Element.prototype.checkVisibility
  const textOf = (element) => {
    for (const [type, value] of values) if (element instanceof type) return value.call(element)
    const text = element instanceof HTMLElement ? innerText.call(element) : textContent.call(element)
    return String(text ?? '').replace(/\\s+/g, ' ').trim()
  }
  const isSeen = (element) =>
    check.call(element, { visibilityProperty: true, opacityProperty: true }) && rects.call(element).length > 0
  const collect = (css, keep, read) => {
    const found = find.call(document, css)
    if (found.length > MAX_ELEMENTS) return null
    const texts = []
    let chars = 0
    for (const element of found) {
      if (!keep(element)) continue
      const text = read(element)
      chars += text === null ? 0 : text.length
      if (chars > MAX_CHARS) return null
      texts.push(text)
    }
    return texts
  }
  return {
    isReady: () => getter(Document, 'readyState').call(document) === 'complete',
    texts: (css) => collect(css, isSeen, textOf),
    attributes: (css, name) => collect(css, () => true, (element) => attribute.call(element, name)),
    stored: (area, key) => {
      const storage = area === 'local' ? window.localStorage : window.sessionStorage
      const value = Storage.prototype.getItem.call(storage, key)
      return value !== null && value.length > MAX_CHARS ? null : { value }
    },
  }
})()`

/** Our own script world in a page, apart from the page's scripts; created again after the page has navigated. */
export class PageWorld {
  readonly #connection: BrowserConnection
  readonly #session: string
  #context: number | null = null

  constructor(connection: BrowserConnection, session: string) {
    this.#connection = connection
    this.#session = session
  }

  /** Calls a member of the page script. Throws if the page does not respond, or the script itself throws. */
  async call(member: string, ...given: unknown[]): Promise<unknown> {
    const words = given.map((one) => JSON.stringify(one)).join(',')
    return await this.evaluate(`${PAGE_SCRIPT}.${member}(${words})`)
  }

  async evaluate(expression: string, limitMs?: number): Promise<unknown> {
    try {
      return await this.#evaluateOnce(expression, limitMs)
    } catch (error) {
      if (!/context/i.test((error as Error).message)) throw error
      this.#context = null
      return await this.#evaluateOnce(expression, limitMs)
    }
  }

  async #evaluateOnce(expression: string, limitMs?: number): Promise<unknown> {
    const contextId = this.#context ?? (await this.#make())
    this.#context = contextId
    const response = await this.#connection.send(
      'Runtime.evaluate',
      { expression, contextId, returnByValue: true },
      this.#session,
      limitMs,
    )
    const { result, exceptionDetails } = evaluatedSchema.parse(response)
    if (exceptionDetails !== undefined) throw new Error('the page could not be read so')
    return result.value
  }

  async #make(): Promise<number> {
    const tree = await this.#connection.send('Page.getFrameTree', {}, this.#session)
    const frameId = frameSchema.parse(tree).frameTree.frame.id
    const made = await this.#connection.send(
      'Page.createIsolatedWorld',
      { frameId, worldName: 'proofboard' },
      this.#session,
    )
    return worldSchema.parse(made).executionContextId
  }
}

const LIST_MS = 1000

/** Finds the most recently used page of this origin, or null. */
export async function findPage(
  { connection, port }: { connection: BrowserConnection; port: number },
  origin: string,
): Promise<CdpTarget | null> {
  const pages = (await connection.targets()).filter(
    ({ type, url }) => type === 'page' && isOf(url, origin),
  )
  if (pages.length < 2) return pages[0] ?? null
  // Only the list over HTTP is sorted by last activity.
  const order = await withTimeout(listIds(port), LIST_MS, 'the list of pages').catch(
    (): string[] => [],
  )
  const rank = ({ targetId }: CdpTarget) => {
    const at = order.indexOf(targetId)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  return pages.sort((left, right) => rank(left) - rank(right))[0] ?? null
}

function isOf(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin
}

async function listIds(port: number): Promise<string[]> {
  const text = await new Promise<string>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/json/list', agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('end', () => resolve(body))
      response.on('error', reject)
    }).on('error', reject)
  })
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
}
