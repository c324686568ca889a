import type { Protocol } from '../protocol.ts'
import type { WireAnswer, WireTurn } from './wire-turn.ts'
import { writeAnthropic } from './write-anthropic.ts'
import { writeChat } from './write-chat.ts'
import { writeGemini } from './write-gemini.ts'
import { writeResponses } from './write-responses.ts'

export type Asking = {
  streams: boolean
  /** Chat only: usage comes in a stream when it was asked for. */
  asksUsage: boolean
}

/** One assistant turn in the protocol that was asked. No comments are ever sent: they break one of the CLIs. */
export function writeTurn(protocol: Protocol, turn: WireTurn, asking: Asking): WireAnswer {
  switch (protocol) {
    case 'anthropic':
      return writeAnthropic(turn, asking.streams)
    case 'openai-responses':
      return writeResponses(turn, asking.streams)
    case 'openai-chat':
      return writeChat(turn, asking.streams, asking.asksUsage)
    case 'gemini':
      return writeGemini(turn, asking.streams)
  }
}
