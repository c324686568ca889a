import type { Tokens } from './tokens.ts'

/** One assistant turn before it is written in a protocol. */
export type WireTurn = {
  /** Unique; the ids inside the response derive from it. Letters and digits only. */
  id: string
  model: string
  reason: string | null
  say: string | null
  calls: readonly { name: string; input: unknown }[]
  /** As defined in tokens.ts; null fields are omitted if the protocol allows it. */
  usage: Tokens
  /** 'end' becomes the protocol's stop reason for tool calls if there are calls. */
  stop: 'end' | 'length' | 'refusal'
  /** Seconds since 1970. */
  createdAt: number
}

export type WireAnswer = {
  contentType: string
  /** One event each if streamed, else one body. */
  chunks: string[]
}

/** Splits text as a model streams it; never splits a character. */
export function inPieces(text: string, size = 24): string[] {
  const letters = [...text]
  const pieces: string[] = []
  for (let start = 0; start < letters.length; start += size)
    pieces.push(letters.slice(start, start + size).join(''))
  return pieces
}

export function jsonAnswer(value: unknown): WireAnswer {
  return { contentType: 'application/json', chunks: [JSON.stringify(value)] }
}

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/** Returns an object without its null members. */
export function knownOnly(
  members: Record<string, number | null | undefined>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )
}
