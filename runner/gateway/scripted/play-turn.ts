import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from '../protocol.ts'
import { writeTurn } from '../wire/write-turn.ts'
import { type ScriptTurn, scriptedTokens } from './script.ts'

export type ScriptedAsk = {
  protocol: Protocol
  model: string
  streams: boolean
  asksUsage: boolean
}

/** A fixed date, so that equal scripts give equal bytes. */
const CREATED_AT = 1_767_225_600

/** Sends one scripted turn event by event, with its waits, up to its cut. */
export async function playTurn(
  ask: ScriptedAsk & { id: string },
  turn: ScriptTurn,
  calls: readonly { name: string; input: unknown }[],
  client: ServerResponse,
): Promise<void> {
  const { contentType, chunks } = writeTurn(
    ask.protocol,
    {
      id: ask.id,
      model: ask.model,
      reason: turn.reason ?? null,
      say: turn.say ?? null,
      calls,
      usage: scriptedTokens(turn),
      stop: turn.stop ?? 'end',
      createdAt: CREATED_AT,
    },
    ask,
  )
  if (turn.delayMs) await sleep(turn.delayMs)
  client.writeHead(200, { 'content-type': contentType, 'request-id': ask.id })
  for (const [index, chunk] of chunks.entries()) {
    if (index === turn.cutAfterEvents) return void client.destroy()
    if (index > 0 && turn.eventDelayMs) await sleep(turn.eventDelayMs)
    if (client.closed) return
    await written(client, chunk)
  }
  client.end()
}

/** Waits until the piece has left, so that a cut after it does not swallow it. */
function written(client: ServerResponse, chunk: string): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', resolve)
    client.write(chunk, () => {
      client.removeListener('close', resolve)
      resolve()
    })
  })
}
