import type { Targeting } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Ability } from '#lib/domain/tasks/index.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { BrowserActions } from './action-surface.ts'
import type { McpDefinition } from './mcp/mcp-definition.ts'

/** A library that is not shipped: npm, or pip for Python, installs this exact version on request. */
export type OptionalPackage = { library: string; name: string; version: string; from?: 'pip' }

/** The browser and the limits of a library in one episode; the library runs in its own process. */
export type Session = {
  /** The debugging port, behind the harness's own proxy: `http://127.0.0.1:port`. */
  endpoint: string
  /** A chromedriver that the harness started, for libraries that use WebDriver; null if none was requested. */
  webdriverPort: number | null
  actionTimeoutMs: number
  /** A folder for this episode alone, for files that the library writes. */
  folder: string
  /** Aborts when the episode ends. */
  signal: AbortSignal
  /** Writes a line to the episode's log. */
  log: (line: string) => void
  /** Counts text that the library returned to its driver: tool results, snapshots. */
  countResult: (text: string) => void
}

/** One browser-automation library: one file. `connect` loads its package, so that listing it costs nothing. */
export type LibraryAdapter = {
  /** The subject's name: `playwright`. */
  name: string
  title: string
  /** The npm package whose installed version is the subject's version; null = `version` reports it. */
  package: string | null
  /** Increment when the adapter changes its behaviour; for a user's own file it includes the file's digest. */
  adapterVersion: number | string
  targeting: Targeting
  /** True if the harness has to start a chromedriver for it. */
  webdriver: boolean
  /** Unsupported abilities, with the reason: such tasks end unsolved, with that reason. */
  lacks: Partial<Record<Ability, string>>
  /** Explains why it cannot be run on this machine, in one sentence that says what to do; null = it can. */
  findMissing: (env: Env) => string | null
  /** Settings of the owner that only this library's process may see. */
  passesOn?: readonly string[]
  /** Files and folders of the owner that its process has to read inside a sandbox. */
  programs?: (env: Env) => string[]
  /** For a library without a package of ours: its exact version, reported by the library itself. */
  version?: (env: Env) => Promise<string | null>
  /** Attaches to the running browser. Throws if it cannot. */
  connect: (session: Session) => Promise<BrowserActions>
  /** For an MCP server: opens it for a language model to drive. Absent = it can only be scripted. */
  openTools?: (session: Session) => Promise<ToolServer>
  /** A library's own model loop: does the task with the model behind the gateway. */
  modelLoop?: {
    /** Increment when the loop's own prompt or tools change. */
    version: number
    /** Protocols of its package, preferred first. */
    protocols: readonly Protocol[]
    /** True = stopped by its step limit before it was done. */
    run: (session: Session, loop: ModelLoop) => Promise<boolean>
  }
  /** Package of `libraries install`; absent = shipped, or the user's own. */
  optional?: OptionalPackage
  /** No script can drive it; `connect` throws. */
  modelOnly?: boolean
  /** For a user's own file: what its process needs to build this adapter again. */
  definition?: McpDefinition
}

/** Input of a model loop: the task, a model behind the gateway, and the recorder of its actions. */
export type ModelLoop = {
  /** The gateway, without a trailing slash or `/v1`. */
  baseUrl: string
  /** A dummy key. */
  key: string
  protocol: string
  model: string
  temperature: number | null
  maxSteps: number
  prompt: string
  /** The URL at which the task begins; it is not open yet. */
  start: string
  /** The task's own files, as absolute paths. */
  files: readonly string[]
  /** Call when the library has connected to the browser. */
  connected: () => void
  /** Times and records one action; throws its error. */
  act: <T>(action: string, args: unknown, run: () => Promise<T>) => Promise<T>
}

/** One tool as a server describes it; `inputSchema` is JSON Schema. */
export type ToolDescription = { name: string; description: string; inputSchema: unknown }

/** An MCP server that runs with one browser, opened for one episode. */
export type ToolServer = {
  tools: readonly ToolDescription[]
  /** Returns the result's text; a failed tool is a value, a server that is gone throws. */
  call: (name: string, args: unknown) => Promise<{ text: string; isError: boolean }>
  close: () => Promise<void>
}
