import { existsSync } from 'node:fs'
import { type BrowserActions, type Target, UnsupportedActionError } from './action-surface.ts'
import {
  AGENT_BROWSER,
  type AgentBrowserCommand,
  CommandError,
  type CommandLine,
  createCommandLine,
  endDaemon,
  findAgentBrowser,
  runCommands,
} from './agent-browser/command-line.ts'
import { collapse } from './collapse.ts'
import { attach, findMissingPackage, packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session, ToolServer } from './library-adapter.ts'
import { openMcpServer } from './mcp/open-mcp-server.ts'
import { packageFolder } from './mcp/package-bin.ts'
import { readByCss } from './mcp/page-scripts.ts'

/**
 * The agent-browser command line, by CSS. A command does not wait for its element, so its own `wait` precedes it in the
 * same batch: one process per action.
 */
export const agentBrowser: LibraryAdapter = {
  name: 'agent-browser',
  title: 'agent-browser',
  ...packageParts(AGENT_BROWSER),
  adapterVersion: 1,
  targeting: 'css',
  findMissing: () => {
    const missing = findMissingPackage(AGENT_BROWSER)
    if (missing !== null || !existsSync(packageFolder(AGENT_BROWSER))) return missing
    return findAgentBrowser() === null
      ? `The package ${AGENT_BROWSER} contains no program for ${process.platform} on ${process.arch}.`
      : null
  },
  connect: (session) => attach(new AgentBrowserActions(session)),
  openTools: async (session) => {
    const line = createCommandLine(binary(), session)
    const program = { command: line.binary, args: ['mcp'], env: line.env }
    const server: ToolServer = await openMcpServer(program, session)
    const close = async () => {
      await server.close()
      await endDaemon(line)
    }
    return { ...server, close }
  },
}

function binary(): string {
  const found = findAgentBrowser()
  if (found === null) throw new Error(`there is no ${AGENT_BROWSER} for this machine`)
  return found
}

class AgentBrowserActions implements BrowserActions {
  readonly #session: Session
  readonly #line: CommandLine
  /** True if its commands target an iframe. */
  #isInFrame = false

  constructor(session: Session) {
    this.#session = session
    this.#line = createCommandLine(binary(), session)
    session.signal.addEventListener('abort', () => void endDaemon(this.#line), { once: true })
  }

  async attach(): Promise<void> {
    await runCommands(this.#line, [['get', 'url']])
  }

  async open(url: string) {
    await this.#run(undefined, ['open', url])
  }

  async click(target: Target) {
    await this.#on(target, ['click', target.css])
  }

  async fill(target: Target, text: string) {
    await this.#on(target, ['fill', target.css, text])
  }

  async select(target: Target, option: string) {
    await this.#on(target, ['select', target.css, option])
  }

  async check(target: Target, isChecked: boolean) {
    await this.#on(target, [isChecked ? 'check' : 'uncheck', target.css])
  }

  async press(key: string, target?: Target) {
    if (target) await this.#on(target, ['focus', target.css], ['press', key])
    else await this.#run(undefined, ['press', key])
  }

  async upload(target: Target, paths: readonly string[]) {
    const wait = ['wait', target.css, '--state', 'attached']
    await this.#run(target.frame, wait, ['upload', target.css, ...paths])
  }

  async drag(from: Target, to: Target) {
    if (from.frame !== to.frame)
      throw new UnsupportedActionError('drag', 'its commands look into one frame at a time')
    await this.#on(from, ['wait', to.css], ['drag', from.css, to.css])
  }

  async waitText(text: string, where?: Target) {
    if (!where) return void (await this.#run(undefined, ['wait', '--text', text]))
    const condition = `((${readByCss(where)})() ?? '').includes(${JSON.stringify(text)})`
    await this.#run(undefined, ['wait', '--fn', condition])
  }

  async readText(target: Target) {
    const { css, frame } = target
    const wait = ['wait', css, '--state', 'attached'] // an empty element is not visible
    const answers = await this.#run(frame, wait, ['get', 'value', css], ['get', 'text', css])
    const [text, value] = answers.toReversed()
    return this.#counted(collapse(asText(value?.result.value) || asText(text?.result.text)))
  }

  async sees(target: Target) {
    try {
      const { css, frame } = target
      const enter = frame === undefined ? [] : [['frame', frame]]
      const answers = await this.#run(undefined, ['frame', 'main'], ...enter, [
        'is',
        'visible',
        css,
      ])
      this.#isInFrame = frame !== undefined
      return answers.at(-1)?.result.visible === true
    } catch (error) {
      if (error instanceof CommandError && isAbsent(error.message)) return false
      throw error
    }
  }

  async url() {
    const [result] = await this.#run(undefined, ['get', 'url'])
    return asText(result?.result.url)
  }

  async observe() {
    const answers = await this.#run(undefined, ['snapshot'])
    return this.#counted(asText(answers.at(-1)?.result.snapshot))
  }

  async newPage() {
    const old = await this.#activeTab()
    await this.#run(undefined, ['tab', 'new'])
    this.#isInFrame = false
    // The old one may already be gone.
    if (old !== null) await this.#run(undefined, ['tab', 'close', old]).catch(() => {})
  }

  async reconnect() {
    await this.dispose()
    await this.attach()
  }

  dispose() {
    this.#isInFrame = false
    return endDaemon(this.#line)
  }

  async #activeTab(): Promise<string | null> {
    const [result] = await runCommands(this.#line, [['tab', 'list']]).catch(() => [])
    const tabs = Array.isArray(result?.result.tabs) ? result.result.tabs : []
    const active = tabs.find((tab: { active?: boolean }) => tab.active)
    return active?.tabId ?? null
  }

  /** Waits by the library's own means until an element is visible and enabled, then acts on it. */
  #on(target: Target, ...commands: AgentBrowserCommand[]) {
    return this.#run(target.frame, ['wait', `:is(${target.css}):not(:disabled)`], ...commands)
  }

  /** Accepts a dialog that the library reports; commands that it refused for that are repeated, as it advises. */
  async #run(frame: string | undefined, ...commands: AgentBrowserCommand[]) {
    const batch = [...this.#enter(frame), ...commands]
    let isRefused = false
    const first = await runCommands(this.#line, batch).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      this.#counted(error.message)
      if (!error.message.includes('`dialog accept`')) throw error
      isRefused = true
      return []
    })
    const isOpen = first.some(({ warning }) => warning?.includes('`dialog accept`'))
    if (isRefused || isOpen) await runCommands(this.#line, [['dialog', 'accept']])
    const answers = isRefused ? await runCommands(this.#line, batch) : first
    this.#isInFrame = frame !== undefined
    return answers
  }

  #enter(frame: string | undefined): AgentBrowserCommand[] {
    const toMain = this.#isInFrame ? [['frame', 'main']] : []
    return frame === undefined
      ? toMain
      : [
          ['frame', 'main'],
          ['wait', frame],
          ['frame', frame],
        ]
  }

  #counted(text: string): string {
    this.#session.countResult(text)
    return text
  }
}

function isAbsent(message: string): boolean {
  return message.includes('Element not found') || message.includes('Could not find frame')
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
