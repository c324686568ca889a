import { nodeProgram } from '../sandbox/process/node-program.ts'
import type { BrowserActions, Target } from './action-surface.ts'
import { packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session, ToolServer } from './library-adapter.ts'
import type { RefEntry } from './mcp/find-ref.ts'
import { markFrames } from './mcp/mark-frames.ts'
import { openMcpServer } from './mcp/open-mcp-server.ts'
import { packageBin } from './mcp/package-bin.ts'
import { FOCUS, READ, readByCss } from './mcp/page-scripts.ts'
import { type RefDialect, stageFiles, ToolError } from './mcp/ref-page.ts'
import { ServerActions } from './mcp/server-actions.ts'

const PACKAGE = 'chrome-devtools-mcp'

/** Chrome's DevTools MCP server, by uids of its own snapshots; usage statistics and field data are off. */
export const chromeDevtoolsMcp: LibraryAdapter = {
  name: 'chrome-devtools-mcp',
  title: 'Chrome DevTools MCP',
  ...packageParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'ref',
  connect: (session) => new DevtoolsActions(session, openServer).attach(),
  openTools: openServer,
}

function openServer(session: Session): Promise<ToolServer> {
  const quiet = ['--no-usage-statistics', '--no-performance-crux']
  const { endpoint, folder } = session
  const bin = packageBin(PACKAGE, PACKAGE)
  const args = [bin, '--browserUrl', endpoint, '--filesystemRoot', folder, ...quiet]
  return openMcpServer({ command: nodeProgram().path, args }, session)
}

class DevtoolsActions extends ServerActions implements BrowserActions {
  #pageId = 0

  protected override async begin() {
    this.#pageId = selected(await this.page.call('list_pages')).id
  }

  async open(url: string) {
    const timeout = this.session.actionTimeoutMs
    refuseFailed(await this.#call('navigate_page', { type: 'url', url, timeout }))
  }

  async click(target: Target) {
    await this.page.act(target, (uid) => this.#call('click', { uid }))
  }

  async fill(target: Target, text: string) {
    await this.page.act(target, (uid) => this.#call('fill', { uid, value: text }))
  }

  select(target: Target, option: string) {
    return this.fill(target, option)
  }

  check(target: Target, isChecked: boolean) {
    return this.fill(target, String(isChecked))
  }

  async press(key: string, target?: Target) {
    if (target) await this.#evaluate(target, FOCUS)
    await this.#call('press_key', { key })
  }

  async upload(target: Target, paths: readonly string[]) {
    const filePaths = await stageFiles(this.session.folder, paths)
    await this.page.act(target, (uid) => this.#call('upload_file', { uid, filePaths }))
  }

  async drag(from: Target, to: Target) {
    await this.page.act(from, async (from_uid) => {
      const to_uid = await this.page.find(to)
      await this.#call('drag', { from_uid, to_uid })
    })
  }

  override async waitText(text: string, where?: Target) {
    await (where ? super.waitText(text, where) : this.#waitAnywhere(text))
  }

  /** The server's own wait does not match text across line breaks, so the page is checked once after its timeout. */
  async #waitAnywhere(text: string): Promise<void> {
    const args = { text: [text], timeout: this.session.actionTimeoutMs }
    try {
      await this.#call('wait_for', args)
    } catch (error) {
      if (!(error instanceof ToolError && (await this.observe()).includes(text))) throw error
    }
  }

  override sees(target: Target) {
    return this.page.isVisible(target, (one) => this.read(one))
  }

  async url() {
    return selected(await this.page.call('list_pages')).url
  }

  async newPage() {
    const old = this.#pageId
    this.#pageId = selected(await this.page.call('new_page', { url: 'about:blank' })).id
    // The old one may already be gone.
    await this.page.call('close_page', { pageId: old }).catch(() => {})
  }

  #call(tool: string, args: Record<string, unknown>): Promise<string> {
    return this.page.call(tool, { pageId: this.#pageId, ...args })
  }

  protected async read(target: Target): Promise<string | null> {
    if (target.role === undefined)
      return resultOf(await this.#call('evaluate_script', { function: readByCss(target) }))
    if (!(await this.page.sees(target))) return null
    return this.#evaluate(target, READ)
  }

  async #evaluate(target: Target, script: string): Promise<string | null> {
    const run = (uid: string) => this.#call('evaluate_script', { function: script, args: [uid] })
    return resultOf(await this.page.act(target, run))
  }

  protected dialect(): RefDialect {
    return {
      snapshot: { tool: 'take_snapshot', args: () => ({ pageId: this.#pageId }) },
      parse: parseDevtoolsSnapshot,
      isStale: (message) => message.includes('Please take a new snapshot'),
      dialogAnswer: (result) =>
        result.includes('Call handle_dialog')
          ? { tool: 'handle_dialog', args: { pageId: this.#pageId, action: 'accept' } }
          : null,
    }
  }
}

/** A failed navigation is not an error of the tool; its text reports it. */
function refuseFailed(text: string): void {
  const failed = /^Unable to navigate.*$/m.exec(text)?.[0]
  if (failed !== undefined) throw new Error(failed)
}

/** Finds the selected page in a list like `1: Title (http://…) [selected]`. */
function selected(list: string): { id: number; url: string } {
  const line = list.split('\n').find((one) => one.endsWith('[selected]'))
  const found = /^(\d+): (?:.* \()?(\S+?)\)? \[selected\]$/.exec(line ?? '')
  if (found === null) throw new Error('the server has no page')
  return { id: Number(found[1]), url: found[2] ?? '' }
}

/** Extracts the result of a script: JSON in a fence. */
function resultOf(text: string): string | null {
  const found = /```json\n([\s\S]*?)\n```/.exec(text)
  const value: unknown = JSON.parse(found?.[1] ?? 'null')
  return typeof value === 'string' ? value : null
}

/** Chromium's own names of roles that differ from ARIA's. */
const OWN_ROLES: Readonly<Record<string, readonly string[]>> = {
  textbox: ['Date', 'DateTime', 'InputTime'],
  button: ['DisclosureTriangle', 'ColorWell'],
  img: ['image'],
  cell: ['gridcell'],
}

/**
 * Parses the entries of a chrome-devtools-mcp snapshot: `uid=1_16 button "Save" focused`. Quotes inside a name are not
 * escaped there, so a line is compared with the wanted entry instead of being parsed.
 */
export function parseDevtoolsSnapshot(text: string): RefEntry[] {
  const lines = markFrames(text, /^ *uid=\S+ Iframe\b/)
  return lines.flatMap(({ line, inFrame }) => {
    const found = /^ *uid=(\S+) (.*)$/.exec(line)
    if (found === null) return []
    const [, ref = '', rest = ''] = found
    return [{ ref, inFrame, is: (role, name) => fits(rest, role, name) }]
  })
}

function fits(rest: string, role: string, name: string): boolean {
  return [role, ...(OWN_ROLES[role] ?? [])].some((one) => {
    const start = name === '' ? one : `${one} "${name}"`
    return rest === start || rest.startsWith(`${start} `)
  })
}
