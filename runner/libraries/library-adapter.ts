import type { Targeting } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Ability } from '#lib/domain/tasks/index.ts'
import type { BrowserActions } from './action-surface.ts'
import type { McpDefinition } from './mcp/mcp-definition.ts'

/** A library that is too large to come with Proofboard: npm installs this exact version on request. */
export type OptionalPackage = { library: string; name: string; version: string }

/** The browser and the limits that a library is given for one episode; the library runs in a process of its own. */
export type Session = {
  /** The debugging port, behind the harness's own proxy: `http://127.0.0.1:port`. */
  endpoint: string
  /** A chromedriver that the harness started, for libraries that speak WebDriver; null where none was requested. */
  webdriverPort: number | null
  actionTimeoutMs: number
  /** A folder for this episode alone, for anything the library writes. */
  folder: string
  /** Ends when the episode does. */
  signal: AbortSignal
  /** A line for the episode's log. */
  log: (line: string) => void
  /** Counts what the library gave back to its driver as text: tool results, snapshots. */
  countResult: (text: string) => void
}

/** One browser-automation library: one file. `connect` loads its package, so that naming it costs nothing. */
export type LibraryAdapter = {
  /** The subject's name: `playwright`. */
  name: string
  title: string
  /** The npm package whose installed version is the subject's version; null = `version` reports it. */
  package: string | null
  /** Raised whenever the adapter does something differently; for a user's own file it includes the file's digest. */
  adapterVersion: number | string
  targeting: Targeting
  /** Whether the harness has to start a chromedriver for it. */
  webdriver: boolean
  /** What it cannot do, with the reason: such tasks end unsolved, with that reason. */
  lacks: Partial<Record<Ability, string>>
  /** Why it cannot be run on this machine, in one sentence that says what to do; null = it can. */
  findMissing: (own: Readonly<Record<string, string | undefined>>) => string | null
  /** Settings of the owner that only this library's process may see. */
  passesOn?: readonly string[]
  /** Files and folders of the owner that its process has to read, where it may read no others. */
  programs?: (own: Readonly<Record<string, string | undefined>>) => string[]
  /** For a library that is not a package of ours: its exact version, reported by the library itself. */
  version?: (own: Readonly<Record<string, string | undefined>>) => Promise<string | null>
  /** Attaches to the browser that runs already. Throws when it cannot. */
  connect: (session: Session) => Promise<BrowserActions>
  /** For an MCP server: opens it for a language model to drive. Absent = it can only be scripted. */
  openTools?: (session: Session) => Promise<ToolServer>
  /** A library with a model loop of its own: does the task with the model behind the gateway. */
  modelLoop?: {
    /** Raised whenever the loop's own words or tools change. */
    version: number
    /** What its package speaks, preferred first. */
    protocols: readonly Protocol[]
    /** True = it was stopped by its limit of steps and wanted more. */
    run: (session: Session, loop: ModelLoop) => Promise<boolean>
  }
  /** What `libraries install` brings; absent = it comes with Proofboard, or is the user's own. */
  optional?: OptionalPackage
  /** No script can drive it; `connect` throws. */
  modelOnly?: boolean
  /** Of a user's own file: what its process needs to build this adapter again. */
  definition?: McpDefinition
}

/** What a model loop is given: the task, a model behind the gateway, and who writes down what it does. */
export type ModelLoop = {
  /** The gateway, without a slash or `/v1` at its end. */
  baseUrl: string
  /** A dummy key. */
  key: string
  protocol: string
  model: string
  temperature: number | null
  maxSteps: number
  prompt: string
  /** The address at which the task begins; nothing has opened it yet. */
  start: string
  /** The task's own files, as absolute paths. */
  files: readonly string[]
  /** To be called when the library has its connection to the browser. */
  connected: () => void
  /** Times one action and writes it down; throws what it throws. */
  act: <T>(action: string, args: unknown, run: () => Promise<T>) => Promise<T>
}

/** One tool as a server describes it; `inputSchema` is JSON Schema. */
export type ToolDescription = { name: string; description: string; inputSchema: unknown }

/** An MCP server that runs with one browser, opened for one episode. */
export type ToolServer = {
  tools: readonly ToolDescription[]
  /** Answers with the result's text; a tool that failed is a value, a server that is gone throws. */
  call: (name: string, args: unknown) => Promise<{ text: string; isError: boolean }>
  close: () => Promise<void>
}
