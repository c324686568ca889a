import { AskedTools } from './asked-tools.ts'

/** What an answer said about itself, in the provider's own words. */
export type Reading = {
  model: string | null
  /** The provider's usage object, merged over the stream; null when none came. */
  rawUsage: Record<string, unknown> | null
  /** Names of the tools asked for, in order. */
  toolCalls: string[]
  /** The same calls with what tells one from another. */
  asked: AskedTools
  stopReason: string | null
  refused: boolean
  /** The protocol's own last word was seen. */
  complete: boolean
  /** An error told inside an answer that began with 200. */
  error: { type: string; message: string | null } | null
}

/** Reads one answer of one protocol, either event by event or as one JSON body. */
export type TurnReader = {
  event: (name: string | null, data: string) => void
  body: (json: unknown) => void
  reading: Reading
}

export function emptyReading(): Reading {
  return {
    model: null,
    rawUsage: null,
    toolCalls: [],
    asked: new AskedTools(),
    stopReason: null,
    refused: false,
    complete: false,
    error: null,
  }
}
