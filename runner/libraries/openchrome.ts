import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { type BrowserActions, type Target, UnsupportedActionError } from './action-surface.ts'
import { collapse } from './collapse.ts'
import type { LibraryAdapter, Session, ToolServer } from './library-adapter.ts'
import type { RefEntry } from './mcp/find-ref.ts'
import { openMcpServer } from './mcp/open-mcp-server.ts'
import { readByCss } from './mcp/page-scripts.ts'
import { stageFiles } from './mcp/ref-page.ts'
import { ServerActions } from './mcp/server-actions.ts'
import { showCommand } from './mcp/shown-programs.ts'
import { splitWords } from './split-words.ts'

/** Names the user's own OpenChrome: a program and its arguments, separated by spaces. */
const VARIABLE = 'PROOFBOARD_OPENCHROME'
const VERSION_MS = 10_000
const NO_FRAMES = 'its page view says nothing of iframes'

/**
 * OpenChrome by refs of its accessibility mode. It is in no package registry, so this was WRITTEN FROM ITS
 * DOCUMENTATION and never run here; a user's own command is needed.
 */
export const openchrome: LibraryAdapter = {
  name: 'openchrome',
  title: 'OpenChrome',
  package: null,
  adapterVersion: 1,
  targeting: 'ref',
  webdriver: false,
  lacks: {},
  findMissing: (env) =>
    commandOf(env) === null
      ? `OpenChrome is in no package registry: install it and set ${VARIABLE} to its command, as in "node /opt/openchrome/dist/index.js".`
      : null,
  passesOn: [VARIABLE],
  programs: (env) => {
    const named = commandOf(env)
    return named === null ? [] : showCommand([named.command, ...named.args], env.PATH ?? '')
  },
  version: async (environment) => {
    const named = commandOf(environment)
    if (named === null) return null
    const argv = [named.command, ...named.args, '--version']
    const env = { PATH: environment.PATH ?? '' }
    const { stdout } = await runTool(argv, { env, timeoutMs: VERSION_MS })
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null
  },
  connect: (session) => new OpenchromeActions(session, openServer).attach(),
  openTools: openServer,
}

function commandOf(env: Env) {
  const [command, ...args] = splitWords(env[VARIABLE] ?? '')
  return command === undefined ? null : { command, args }
}

function openServer(session: Session): Promise<ToolServer> {
  const own = commandOf(RUNNER_ENV)
  if (own === null) throw new Error(`${VARIABLE} is not set`)
  const { port } = new URL(session.endpoint)
  return openMcpServer({ ...own, args: [...own.args, 'serve', '--port', port] }, session)
}

const ENTRY = /\[(ref_\w+|@e\w+)\] (\w+)(?:: | )"((?:[^"\\]|\\.)*)"/

class OpenchromeActions extends ServerActions implements BrowserActions {
  #tabId = ''

  protected dialect() {
    return {
      snapshot: { tool: 'read_page', args: () => this.#with({ mode: 'ax', filter: 'all' }) },
      parse: parseOpenchromePage,
      isStale: (message: string) => /read_page (again|first)/.test(message),
      dialogAnswer: () => null,
    }
  }

  protected override async begin() {
    this.#tabId = tabOf(await this.page.call('tabs_context'))
  }

  async open(url: string) {
    await this.#call('navigate', { url })
  }

  async click(target: Target) {
    const click = (ref: string) => this.#call('computer', { action: 'left_click', ref })
    await this.page.act(this.#onPage(target), click)
  }

  async fill(target: Target, value: string) {
    const input = (ref: string) => this.#call('form_input', { ref, value })
    await this.page.act(this.#onPage(target), input)
  }

  select(target: Target, option: string) {
    return this.fill(target, option)
  }

  check(target: Target, isChecked: boolean) {
    return this.fill(target, String(isChecked))
  }

  async press(key: string, target?: Target) {
    if (target)
      await this.#evaluate(`document.querySelector(${JSON.stringify(target.css)}).focus()`)
    await this.#call('computer', { action: 'key', text: key })
  }

  async upload(target: Target, paths: readonly string[]) {
    const filePaths = await stageFiles(this.session.folder, paths)
    await this.#call('file_upload', { selector: this.#onPage(target).css, filePaths })
  }

  async drag(from: Target, to: Target) {
    const [source, target] = [from, to].map((one) => this.#onPage(one).css)
    await this.#call('drag_drop', { sourceSelector: source, targetSelector: target })
  }

  url() {
    return this.#evaluate('location.href')
  }

  async newPage() {
    const old = this.#tabId
    this.#tabId = tabOf(await this.page.call('tabs_create', { url: 'about:blank' }))
    // The old one may already be gone.
    await this.page.call('tabs_close', { tabId: old }).catch(() => {})
  }

  #with(args: Record<string, unknown>) {
    return { tabId: this.#tabId, ...args }
  }

  #call(tool: string, args: Record<string, unknown>): Promise<string> {
    return this.page.call(tool, this.#with(args))
  }

  #evaluate(code: string): Promise<string> {
    return this.#call('javascript_tool', { code })
  }

  /** Null = not visible. Its scripts return text, so a prefix distinguishes a text from null. */
  protected async read(target: Target): Promise<string | null> {
    const script = `((text) => text === null ? 'unseen' : 'seen:' + text)((${readByCss(target)})())`
    const result = await this.#evaluate(script.replaceAll('\n', ' '))
    return result.startsWith('seen:') ? collapse(result.slice('seen:'.length)) : null
  }

  #onPage(target: Target): Target {
    if (target.frame !== undefined) throw new UnsupportedActionError('click', NO_FRAMES)
    return target
  }
}

/** Extracts the tab from a response that names one. */
function tabOf(text: string): string {
  const found = /"?tabId"?\s*[:=]\s*"?([\w-]+)/.exec(text)?.[1]
  if (found === undefined) throw new Error('the server names no tab')
  return found
}

/**
 * Parses the entries of OpenChrome's accessibility mode, as documented: `[ref_5] button: "Save"`. It does not report
 * frames.
 */
function parseOpenchromePage(text: string): RefEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, ref = '', role, name] = ENTRY.exec(line) ?? []
    if (role === undefined) return []
    const is = (wanted: string, named: string) => role === wanted && name === named
    return [{ ref, inFrame: false, is }]
  })
}
