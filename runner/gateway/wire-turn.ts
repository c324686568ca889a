import type { Tokens } from './tokens.ts'

/** One assistant turn before it is written in a protocol. */
export type WireTurn = {
  /** Unique; the ids inside the answer are made of it. Letters and digits only. */
  id: string
  model: string
  reason: string | null
  say: string | null
  calls: readonly { name: string; input: unknown }[]
  /** In our one definition (tokens.ts); null fields are left out where the protocol lets them. */
  usage: Tokens
  /** 'end' becomes the protocol's word for tool calls when there are calls. */
  stop: 'end' | 'length' | 'refusal'
  /** Seconds since 1970. */
  createdAt: number
}

export type WireAnswer = {
  contentType: string
  /** One event each when streamed; one body when not. */
  chunks: string[]
}

/** Text in pieces, as a model streams it; never cuts a character in two. */
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

/** An object without its null members. */
export function knownOnly(
  members: Record<string, number | null | undefined>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )
}
