import { nodeProgram } from '../sandbox/process/node-program.ts'
import type { BrowserActions, Target } from './action-surface.ts'
import { packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session, ToolServer } from './library-adapter.ts'
import { type RefEntry, waitForRef } from './mcp/find-ref.ts'
import { markFrames } from './mcp/mark-frames.ts'
import { openMcpServer } from './mcp/open-mcp-server.ts'
import { packageBin } from './mcp/package-bin.ts'
import { FOCUS, READ, readByCss } from './mcp/page-scripts.ts'
import { type RefDialect, stageFiles } from './mcp/ref-page.ts'
import { ServerActions } from './mcp/server-actions.ts'

const PACKAGE = '@playwright/mcp'

/**
 * Playwright's MCP server, by refs of its own snapshots. Its default settling after every action stays as it is; only
 * the limit of an action is the session's, as for every library.
 */
export const playwrightMcp: LibraryAdapter = {
  name: 'playwright-mcp',
  title: 'Playwright MCP',
  ...packageParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'ref',
  connect: (session) => new PlaywrightMcpActions(session, openServer).attach(),
  openTools: openServer,
}

function openServer(session: Session): Promise<ToolServer> {
  const { endpoint, actionTimeoutMs } = session
  const bin = packageBin(PACKAGE, 'playwright-mcp')
  const limit = String(actionTimeoutMs)
  const limits = ['--timeout-action', limit, '--timeout-navigation', limit]
  const args = [bin, '--cdp-endpoint', endpoint, ...limits]
  return openMcpServer({ command: nodeProgram().path, args }, session)
}

const ENTRY = /^(\w+) ?("(?:[^"\\]|\\.)*")?.*?\[ref=(\w+)\]/

const DIALECT: RefDialect = {
  snapshot: { tool: 'browser_snapshot', args: () => ({}) },
  parse: parsePlaywrightSnapshot,
  isStale: (message) => message.includes('Try capturing new snapshot'),
  dialogAnswer: (result) =>
    result.includes('can be handled by browser_handle_dialog')
      ? { tool: 'browser_handle_dialog', args: { accept: true } }
      : null,
}

class PlaywrightMcpActions extends ServerActions implements BrowserActions {
  protected dialect() {
    return DIALECT
  }

  protected override async begin() {
    await this.page.call('browser_tabs', { action: 'list' }) // it connects at the first call
  }

  async open(url: string) {
    const result = await this.page.call('browser_navigate', { url })
    if (DIALECT.dialogAnswer(result) === null) return
    // Behind a dialog that asks whether to leave, the navigation continues after the call.
    const before = /^- Page URL: (.*)$/m.exec(result)?.[1]
    const look = async () => (before === url || (await this.url()) !== before ? true : null)
    await waitForRef(look, url, this.session.actionTimeoutMs)
  }

  async click(target: Target) {
    await this.page.act(target, (ref) => this.page.call('browser_click', { target: ref }))
  }

  async fill(target: Target, text: string) {
    await this.page.act(target, (ref) => this.page.call('browser_type', { target: ref, text }))
  }

  async select(target: Target, option: string) {
    const values = [option]
    await this.page.act(target, (ref) =>
      this.page.call('browser_select_option', { target: ref, values }),
    )
  }

  async check(target: Target, isChecked: boolean) {
    const type = target.role === 'radio' ? 'radio' : 'checkbox'
    const field = { name: target.name ?? '', type, value: String(isChecked) }
    await this.page.act(target, (ref) =>
      this.page.call('browser_fill_form', { fields: [{ target: ref, ...field }] }),
    )
  }

  async press(key: string, target?: Target) {
    if (target) await this.#evaluate(target, FOCUS)
    await this.page.call('browser_press_key', { key })
  }

  async upload(target: Target, paths: readonly string[]) {
    const staged = await stageFiles(this.session.folder, paths)
    await this.click(target)
    await this.page.call('browser_file_upload', { paths: staged })
  }

  async drag(from: Target, to: Target) {
    await this.page.act(from, async (startTarget) => {
      // Both refs have to be from one snapshot.
      const endTarget = await this.page.find(to)
      await this.page.call('browser_drag', { startTarget, endTarget })
    })
  }

  override async waitText(text: string, where?: Target) {
    if (!where) return void (await this.page.call('browser_wait_for', { text }))
    await super.waitText(text, where)
  }

  override sees(target: Target) {
    return this.page.isVisible(target, (one) => this.read(one))
  }

  async url() {
    const { url } = current(await this.page.call('browser_tabs', { action: 'list' }))
    return url
  }

  async newPage() {
    const before = await this.page.call('browser_tabs', { action: 'list' })
    await this.page.call('browser_tabs', { action: 'new' })
    // The old one may already be gone.
    const { index } = current(before)
    await this.page.call('browser_tabs', { action: 'close', index }).catch(() => {})
  }

  protected async read(target: Target): Promise<string | null> {
    if (target.role === undefined)
      return resultOf(await this.page.call('browser_evaluate', { function: readByCss(target) }))
    if (!(await this.page.sees(target))) return null
    return this.#evaluate(target, READ)
  }

  async #evaluate(target: Target, script: string): Promise<string | null> {
    const args = { function: script }
    const run = (ref: string) => this.page.call('browser_evaluate', { target: ref, ...args })
    return resultOf(await this.page.act(target, run))
  }
}

/** Finds the current tab in a list like `- 1: (current) [Title](http://…)`. */
function current(list: string): { index: number; url: string } {
  const found = /^- (\d+): \(current\) \[.*\]\((.*)\)$/m.exec(list)
  if (found === null) throw new Error('the server has no current tab')
  return { index: Number(found[1]), url: found[2] ?? '' }
}

/** Extracts the result of a script: JSON between `### Result` and the next heading. */
function resultOf(text: string): string | null {
  const found = /^### Result\n(.*)$/m.exec(text)
  const value: unknown = JSON.parse(found?.[1] ?? 'null')
  return typeof value === 'string' ? value : null
}

/**
 * Parses the entries of a @playwright/mcp snapshot that have a ref: `- button "Save" [ref=e16]`. Others are irrelevant
 * here.
 */
export function parsePlaywrightSnapshot(text: string): RefEntry[] {
  const lines = markFrames(text, /^ *- iframe\b/)
  return lines.flatMap(({ line, inFrame }) => {
    const found = ENTRY.exec(keyOf(line))
    if (found === null) return []
    const [, role, quoted, ref = ''] = found
    const name = quoted === undefined ? '' : nameOf(quoted)
    return [{ ref, inFrame, is: (wanted, named) => role === wanted && name === named }]
  })
}

/** YAML quotes a whole key if it contains a colon, a hash or the like; quotes inside are doubled. */
function keyOf(line: string): string {
  const item = line.trimStart().replace(/^- /, '')
  return item.startsWith("'") ? item.slice(1).replaceAll("''", "'") : item
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}
