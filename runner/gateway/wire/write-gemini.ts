import {
  EVENT_STREAM,
  inPieces,
  jsonAnswer,
  told,
  type WireAnswer,
  type WireTurn,
} from './wire-turn.ts'

type Part = Record<string, unknown>

/** A Gemini answer: one body, or chunks of the same shape with CRLF between events as the real API sends them. */
export function writeGemini(turn: WireTurn, streams: boolean): WireAnswer {
  const foot = { modelVersion: turn.model, responseId: turn.id }
  const last = { finishReason: finishReason(turn), index: 0 }
  const usageMetadata = usage(turn)
  if (!streams)
    return jsonAnswer({
      candidates: [{ content: { parts: parts(turn, false), role: 'model' }, ...last }],
      usageMetadata,
      ...foot,
    })
  const pieces = parts(turn, true)
  const chunks = pieces.map((part, index) => ({
    candidates: [
      {
        content: { parts: [part], role: 'model' },
        ...(index === pieces.length - 1 ? last : { index: 0 }),
      },
    ],
    usageMetadata:
      index === pieces.length - 1
        ? usageMetadata
        : told({ promptTokenCount: turn.usage.input, totalTokenCount: turn.usage.input }),
    ...foot,
  }))
  return {
    contentType: EVENT_STREAM.split(';')[0] as string,
    chunks: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`),
  }
}

function parts(turn: WireTurn, inStream: boolean): Part[] {
  const cut = (text: string | null) => (text === null ? [] : inStream ? inPieces(text) : [text])
  const all: Part[] = [
    ...cut(turn.reason).map((text) => ({ text, thought: true })),
    ...cut(turn.say).map((text) => ({ text })),
    ...turn.calls.map(({ name, input }, index) => ({
      functionCall: { id: `call-${turn.id}${index}`, name, args: input },
    })),
  ]
  return all.length > 0 ? all : [{ text: '' }]
}

function finishReason(turn: WireTurn): string {
  if (turn.stop === 'length') return 'MAX_TOKENS'
  return turn.stop === 'refusal' ? 'SAFETY' : 'STOP'
}

/** Here `candidatesTokenCount` leaves the thoughts out. */
function usage({ usage: tokens }: WireTurn): Record<string, number> {
  const input = tokens.input ?? 0
  const output = tokens.output ?? 0
  return told({
    promptTokenCount: input,
    candidatesTokenCount: output - (tokens.reasoning ?? 0),
    totalTokenCount: input + output,
    cachedContentTokenCount: tokens.cacheRead,
    thoughtsTokenCount: tokens.reasoning,
  })
}
