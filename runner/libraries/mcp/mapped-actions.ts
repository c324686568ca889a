import {
  type ActionName,
  type BrowserActions,
  type Target,
  UnsupportedActionError,
} from '../action-surface.ts'
import type { Session, ToolServer } from '../library-adapter.ts'
import type { RefEntry } from './find-ref.ts'
import { fillArgs, type McpAction, type McpActions } from './mcp-definition.ts'
import { FOCUS, readByCss } from './page-scripts.ts'
import { type RefDialect, stageFiles } from './ref-page.ts'
import { ServerActions } from './server-actions.ts'

/** A script's result between marks that no server's text contains, in characters that no server escapes. */
const RESULT = /pb:([A-Za-z0-9+/=]+):pb/
const PAGE_ERROR = 'the page answered nothing'

type Values = Record<string, string>

/**
 * Implements the action surface with an MCP server's tools as its file maps them. The page is read by the server's own
 * evaluate tool; elements are targeted by `${css}`, or by `${ref}` of the server's snapshot.
 */
export class MappedActions extends ServerActions implements BrowserActions {
  readonly #actions: McpActions

  constructor(
    session: Session,
    actions: McpActions,
    openTools: (session: Session) => Promise<ToolServer>,
  ) {
    super(session, openTools)
    this.#actions = actions
  }

  protected dialect(): RefDialect {
    const { snapshot, dialog } = this.#actions
    const entry = snapshot ? new RegExp(snapshot.entry) : null
    return {
      snapshot: {
        tool: snapshot?.tool ?? '',
        args: () => (snapshot ? fillArgs(snapshot, {}) : {}),
      },
      parse: (text) => (entry === null ? [] : parseEntries(text, entry)),
      isStale: () => false,
      dialogAnswer: (result) =>
        dialog && /\bdialog\b/i.test(result)
          ? { tool: dialog.tool, args: fillArgs(dialog, {}) }
          : null,
    }
  }

  async open(url: string) {
    await this.#call(this.#actions.open, { url })
  }

  async click(target: Target) {
    await this.#onElement('click', this.#actions.click, target)
  }

  async fill(target: Target, text: string) {
    await this.#onElement('fill', this.#actions.fill, target, { text })
  }

  async select(target: Target, option: string) {
    await this.#onElement('select', this.#actions.select, target, { option })
  }

  async check(target: Target, isChecked: boolean) {
    await this.readText(target)
    const now = await this.#evaluate(`${elementOf(target)}?.checked`)
    if (now !== isChecked) await this.click(target)
  }

  async press(key: string, target?: Target) {
    if (target) {
      await this.readText(target)
      await this.#evaluate(`(${FOCUS})(${elementOf(target)})`)
    }
    await this.#call(this.#has('press'), { key })
  }

  async upload(target: Target, paths: readonly string[]) {
    const files = await stageFiles(this.session.folder, paths)
    await this.#onElement('upload', this.#has('upload'), target, {}, files)
  }

  async drag(from: Target, to: Target) {
    await this.readText(to)
    const drag = this.#has('drag')
    const toRef = names(drag, 'toRef') ? await this.page.find(to) : ''
    await this.#onElement('drag', drag, from, { toCss: to.css, toRef })
  }

  async url() {
    return String(await this.#evaluate('location.href'))
  }

  override async observe() {
    if (this.#actions.snapshot) return super.observe()
    return (await this.read({ css: 'body' })) ?? ''
  }

  async newPage() {
    await this.#call(this.#has('newPage'), {})
  }

  #call(action: McpAction, values: Values, files: readonly string[] = []): Promise<string> {
    return this.page.call(action.tool, fillArgs(action, values, files))
  }

  /** Waits for the element in the page, then targets it as the file defines. */
  async #onElement(
    name: ActionName,
    action: McpAction,
    target: Target,
    more: Values = {},
    files: readonly string[] = [],
  ): Promise<void> {
    const values = { css: target.css, role: target.role ?? '', name: target.name ?? '', ...more }
    if (names(action, 'ref'))
      return this.page.act(
        target,
        async (ref) => void (await this.#call(action, { ...values, ref }, files)),
      )
    if (target.frame !== undefined)
      throw new UnsupportedActionError(
        name,
        'its file points at elements by CSS, which finds none in an iframe',
      )
    // A file field is often hidden behind its button.
    if (name !== 'upload') await this.readText(target)
    await this.#call(action, values, files)
  }

  protected async read(target: Target): Promise<string | null> {
    const text = await this.#evaluate(`(${readByCss(target)})()`)
    return typeof text === 'string' ? text : null
  }

  async #evaluate(expression: string): Promise<unknown> {
    const script = `(() => { let value; try { value = ${expression} } catch { value = null } return 'pb:' + btoa(unescape(encodeURIComponent(JSON.stringify(value ?? null)))) + ':pb' })()`
    const message = RESULT.exec(await this.#call(this.#actions.evaluate, { script }))?.[1]
    if (message === undefined) throw new Error(PAGE_ERROR)
    return JSON.parse(Buffer.from(message, 'base64').toString('utf8'))
  }

  #has(name: 'press' | 'upload' | 'drag' | 'newPage'): McpAction {
    const action = this.#actions[name]
    if (!action) throw new UnsupportedActionError(name, `its file maps no ${name}`)
    return action
  }
}

function names({ args }: McpAction, placeholder: string): boolean {
  return JSON.stringify(args).includes(`\${${placeholder}}`)
}

function elementOf({ css, frame }: Target): string {
  const place =
    frame === undefined
      ? 'document'
      : `document.querySelector(${JSON.stringify(frame)}).contentDocument`
  return `${place}.querySelector(${JSON.stringify(css)})`
}

/**
 * Parses the entries of a snapshot, one per line, by the file's own expression. It does not tell which are in an
 * iframe.
 */
export function parseEntries(text: string, entry: RegExp): RefEntry[] {
  return text.split('\n').flatMap((line) => {
    const { ref, role, name = '' } = entry.exec(line)?.groups ?? {}
    if (ref === undefined || role === undefined) return []
    const is = (wanted: string, named: string) => role === wanted && name === named
    return [{ ref, inFrame: false, is }]
  })
}
