import type { ToolCall } from '#lib/domain/no-progress.ts'
import type { Protocol } from '../protocol.ts'
import type { ToolAsk } from './asked-tools.ts'
import { readLastResults, readToolResults, type ToolResult } from './read-tool-results.ts'

type Followed = ToolAsk & { failed: boolean | null }

const MOST_RESULTS = 20_000
const LONGEST_ID = 200

/**
 * Follows the tool calls of an attempt from the model's answer to the agent's word on what came of them, which is in a
 * later request. Holds ids and fingerprints, no arguments and no results.
 */
export class ToolTrail {
  readonly #steps: Followed[][] = []
  /** What was said first of each id; requests repeat it. */
  readonly #results = new Map<string, boolean | null>()

  /** A request came in. */
  hear(protocol: Protocol, body: unknown): void {
    for (const { id, failed } of readToolResults(protocol, body)) {
      if (id === null || id.length > LONGEST_ID || this.#results.size >= MOST_RESULTS) continue
      if (!this.#results.has(id)) this.#results.set(id, failed)
    }
    this.#place(readLastResults(protocol, body))
  }

  /** A model turn was made. */
  add(asks: readonly ToolAsk[]): void {
    this.#steps.push(asks.map((ask) => ({ ...ask, failed: null })))
  }

  /** The tool calls of every step, in order; what nobody told of stays unknown. */
  steps(): ToolCall[][] {
    return this.#steps.map((calls) =>
      calls.map(({ id, fingerprint, failed }) => ({
        fingerprint,
        failed: (id === null ? null : this.#results.get(id)) ?? failed,
      })),
    )
  }

  /** By place, and only when the results name the very tools of the last step: unknown is better than mixed up. */
  #place(results: readonly ToolResult[]): void {
    const calls = this.#steps.at(-1) ?? []
    const names = calls.map(({ name }) => name).join('\n')
    if (results.map(({ name }) => name).join('\n') !== names) return
    for (const [index, call] of calls.entries()) call.failed ??= results[index]?.failed ?? null
  }
}
