import { randomUUID } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Target } from '../action-surface.ts'
import type { ToolServer } from '../library-adapter.ts'
import { describeTarget, type RefEntry, refOf, waitForRef } from './find-ref.ts'

/** A tool that reported a failure, with the server's message. */
export class ToolError extends Error {}

/** Differences between servers of snapshots and refs. */
export type RefDialect = {
  /** The page as the server shows it. */
  snapshot: { tool: string; args: () => Record<string, unknown> }
  parse: (snapshot: string) => RefEntry[]
  /** Returns whether the message means that a ref is outdated and a new snapshot is needed. */
  isStale: (message: string) => boolean
  /** Returns the tool call that answers an open dialog; null = the result mentions none. */
  dialogAnswer: (result: string) => { tool: string; args: Record<string, unknown> } | null
}

type Read = (target: Target) => Promise<string | null>

/**
 * A page behind an MCP server that identifies elements by refs of its snapshots. Every action that needs an element
 * takes a snapshot, finds role and name in it and acts by the ref at once. A dialog that the server reports is
 * accepted, as by the native libraries' handlers.
 */
export class RefPage {
  readonly #server: ToolServer
  readonly #dialect: RefDialect
  readonly #limitMs: number

  constructor(server: ToolServer, dialect: RefDialect, limitMs: number) {
    this.#server = server
    this.#dialect = dialect
    this.#limitMs = limitMs
  }

  /**
   * Returns the result's text. Throws ToolError if the tool failed; a call refused because of a dialog is repeated
   * after it.
   */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    let result = await this.#server.call(tool, args)
    const response = this.#dialect.dialogAnswer(result.text)
    if (response !== null && tool !== response.tool) {
      await this.#server.call(response.tool, response.args)
      if (result.isError) result = await this.#server.call(tool, args)
    }
    if (result.isError) throw new ToolError(result.text)
    return result.text
  }

  snapshot(): Promise<string> {
    const { tool, args } = this.#dialect.snapshot
    return this.call(tool, args())
  }

  /** Returns whether role and name are in the snapshot now. */
  async sees(target: Target): Promise<boolean> {
    return refOf(this.#dialect.parse(await this.snapshot()), target) !== null
  }

  /**
   * Waits for an element and returns its text from the adapter's `read`, which returns null while it is not visible.
   */
  readText(target: Target, read: Read): Promise<string> {
    return waitForRef(() => read(target), describeTarget(target), this.#limitMs)
  }

  /** Waits until the text of an element contains `text`. */
  async waitText(text: string, where: Target, read: Read): Promise<void> {
    const look = async () => ((await read(where))?.includes(text) ? true : null)
    await waitForRef(look, `“${text}” in ${describeTarget(where)}`, this.#limitMs)
  }

  /** Returns whether an element is visible now: by its role and name, or by the adapter's `read` if it has none. */
  async isVisible(target: Target, read: Read): Promise<boolean> {
    return target.role === undefined ? (await read(target)) !== null : this.sees(target)
  }

  /** Waits for an element and returns its ref. */
  find(target: Target): Promise<string> {
    if (target.role === undefined)
      throw new Error(`${target.css} has no role and name, by which a snapshot could be searched`)
    const look = async () => refOf(this.#dialect.parse(await this.snapshot()), target)
    return waitForRef(look, describeTarget(target), this.#limitMs)
  }

  /** Acts by ref. A stale one is looked up in a new snapshot and retried once, as the server advises. */
  async act<T>(target: Target, use: (ref: string) => Promise<T>): Promise<T> {
    try {
      return await use(await this.find(target))
    } catch (error) {
      if (!(error instanceof ToolError && this.#dialect.isStale(error.message))) throw error
      return use(await this.find(target))
    }
  }
}

/** Copies files to where a server may read: servers give a page only files below their own working folder. */
export async function stageFiles(folder: string, paths: readonly string[]): Promise<string[]> {
  const place = join(folder, 'files', randomUUID())
  await mkdir(place, { recursive: true })
  return Promise.all(
    paths.map(async (path, at) => {
      // Two files may have the same name, which a page sees.
      const own = join(place, String(at))
      await mkdir(own)
      const copy = join(own, basename(path))
      await copyFile(path, copy)
      return copy
    }),
  )
}
