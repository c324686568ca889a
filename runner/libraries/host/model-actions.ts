import type { TracedAction } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { type HostReport, type HostRequest, plainMessage } from '../host-protocol.ts'

const MAX_TARGET_CHARS = 500
const MAX_ACTION_CHARS = 60

export type Played = Pick<HostReport, 'ending' | 'rung' | 'libraryError' | 'firstErrorAt'>

/** The clock of a library's process and its output. */
export type HostTools = {
  now: () => number
  keep: (action: TracedAction) => void
  log: (line: string) => void
}

/** A model's actions in one episode: each is timed, limited and recorded. */
export class ModelActions {
  readonly played: Played = {
    ending: 'finished',
    rung: null,
    libraryError: null,
    firstErrorAt: null,
  }
  /** Aborted when no more actions are allowed. */
  readonly ending = new AbortController()
  readonly #most: number
  readonly #tools: HostTools
  #count = 0
  #isOut = false

  constructor({ maxActions }: Pick<HostRequest, 'maxActions'>, tools: HostTools) {
    this.#most = maxActions
    this.#tools = tools
  }

  /** Throws the error of `run`, or when the episode has used up its actions. */
  async act<T>(name: string, args: unknown, run: () => Promise<T>): Promise<T> {
    if (this.#count >= this.#most) {
      this.#isOut = true
      this.ending.abort()
      throw new Error(`the episode has used up its ${countOf(this.#most, 'tool call')}`)
    }
    this.#count += 1
    const { now, keep } = this.#tools
    const startMs = now()
    const action = name.slice(0, MAX_ACTION_CHARS)
    const traced = { step: null, action, target: shorten(args), startMs }
    try {
      const result = await run()
      keep({ ...traced, durationMs: now() - startMs, error: null })
      return result
    } catch (error) {
      const message = plainMessage(error)
      this.played.firstErrorAt ??= Date.now()
      this.played.libraryError = { step: null, action, message }
      keep({ ...traced, durationMs: now() - startMs, error: message })
      throw error
    }
  }

  /** Ends normally: the model, or its loop, has finished. */
  finish({ wantsMore }: { wantsMore: boolean }): Played {
    if (wantsMore || this.#isOut) this.played.ending = 'out-of-actions'
    return this.played
  }

  /** Ends with an error. */
  giveUp(error: unknown): Played {
    this.#tools.log(`the model was not heard: ${plainMessage(error)}`)
    this.played.ending = this.#isOut ? 'out-of-actions' : 'gave-up'
    return this.played
  }
}

function shorten(args: unknown): string | null {
  const text = JSON.stringify(args)
  return text === undefined || text === '{}' ? null : text.slice(0, MAX_TARGET_CHARS)
}
