import type { Target } from '../action-surface.ts'
import type { Session, ToolServer } from '../library-adapter.ts'
import { type RefDialect, RefPage } from './ref-page.ts'

/** Connects to an MCP server and reads texts, for the adapters of such servers. */
export abstract class ServerActions {
  protected readonly session: Session
  protected page!: RefPage
  readonly #openTools: (session: Session) => Promise<ToolServer>
  #server: ToolServer | null = null

  constructor(session: Session, openTools: (session: Session) => Promise<ToolServer>) {
    this.session = session
    this.#openTools = openTools
  }

  protected abstract dialect(): RefDialect

  /** Returns the text of an element; null = not visible. */
  protected abstract read(target: Target): Promise<string | null>

  /** Called after each connection. */
  protected async begin(): Promise<void> {}

  async attach(): Promise<this> {
    this.#server = await this.#openTools(this.session)
    this.page = new RefPage(this.#server, this.dialect(), this.session.actionTimeoutMs)
    await this.begin()
    return this
  }

  async waitText(text: string, where: Target = { css: 'body' }) {
    await this.page.waitText(text, where, (target) => this.read(target))
  }

  readText(target: Target) {
    return this.page.readText(target, (one) => this.read(one))
  }

  async sees(target: Target) {
    return (await this.read(target)) !== null
  }

  async observe() {
    return this.page.snapshot()
  }

  async reconnect() {
    await this.dispose()
    await this.attach()
  }

  async dispose() {
    const server = this.#server
    this.#server = null
    await server?.close()
  }
}
