import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'
import { PAGE_SCRIPT } from './page-script.ts'

const evaluatedSchema = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
})
const frameSchema = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) })
const worldSchema = z.object({ executionContextId: z.number() })

/** A script world of our own in a page, apart from the page's scripts; made again when the page has gone on meanwhile. */
export class PageWorld {
  readonly #connection: BrowserConnection
  readonly #session: string
  #context: number | null = null

  constructor(connection: BrowserConnection, session: string) {
    this.#connection = connection
    this.#session = session
  }

  /** Calls a member of the page script. Throws when the page does not answer, or the script itself throws. */
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
    const answer = await this.#connection.send(
      'Runtime.evaluate',
      { expression, contextId, returnByValue: true },
      this.#session,
      limitMs,
    )
    const { result, exceptionDetails } = evaluatedSchema.parse(answer)
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
