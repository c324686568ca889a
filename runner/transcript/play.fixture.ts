import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseTranscript, type Transcript } from '#lib/domain/transcript/index.ts'
import type { CallRecord } from '../gateway/call-record.ts'
import { UNKNOWN_TOKENS } from '../gateway/tokens.ts'
import type { WireTurn } from '../gateway/wire-turn.ts'
import { writeTurn } from '../gateway/write-turn.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { Transcriber } from './transcriber.ts'
import { TranscriptFile } from './transcript-file.ts'

/** The folder of the running test. */
export let root: string

/** Gives each test of the calling file a folder; files of one process load this module once. */
export function giveFolders(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
}

export const SECRET = 'sk-ant-REDACTED'

export function openFile(limits?: { textChars: number; bytes: number }): TranscriptFile {
  return new TranscriptFile(
    join(root, 'transcript.jsonl'),
    secretFinder([SECRET]),
    {
      agent: { name: 'echo', version: '1.0.0' },
      provider: 'simulated',
      model: 'm-1',
      startedAt: '2026-11-22T00:00:00.000Z',
    },
    limits,
  )
}

export function record(number: number, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    number,
    protocol: 'anthropic',
    path: '/v1/messages',
    streams: true,
    startedAt: '',
    retryOf: null,
    source: 'upstream',
    status: 200,
    ending: 'whole',
    isStep: true,
    fault: null,
    modelAsked: 'm-1',
    model: 'm-1-2026',
    tokens: { ...UNKNOWN_TOKENS, input: 100, output: 20, cacheRead: 50 },
    stated: UNKNOWN_TOKENS,
    rawUsage: null,
    price: { costMicroUsd: 7, priceTable: null },
    unknownBecause: null,
    atLeastMicroUsd: 0,
    mayBeBilled: false,
    implausible: null,
    toolCalls: [],
    charge: { tokens: 0, costMicroUsd: 0, isEstimated: false },
    toolAsks: [],
    stopReason: null,
    refused: false,
    streamError: null,
    failure: null,
    errorMessage: null,
    retryAt: null,
    temperature: null,
    usageInjected: false,
    toolsLeftOut: [],
    requestBytes: 0,
    responseBytes: 0,
    firstByteMs: null,
    durationMs: 0,
    ...changes,
  }
}

export function turn(changes: Partial<WireTurn>): WireTurn {
  return {
    id: 'a1',
    model: 'm-1',
    reason: null,
    say: null,
    calls: [],
    stop: 'end',
    createdAt: 0,
    usage: UNKNOWN_TOKENS,
    ...changes,
  }
}

/** Plays calls through a transcriber: the request, and the turn or bytes that respond to it. */
export async function play(
  calls: readonly {
    protocol: Protocol
    json: unknown
    answer: WireTurn | string
    streams?: boolean
    record?: Partial<CallRecord>
  }[],
  file = openFile(),
): Promise<Transcript> {
  const transcriber = new Transcriber(file, null, () => 0)
  for (const [
    place,
    { protocol, json, answer, streams = true, record: changes },
  ] of calls.entries()) {
    transcriber.ask(place + 1, { protocol, json })
    const text =
      typeof answer === 'string'
        ? answer
        : writeTurn(protocol, answer, { streams, asksUsage: true }).chunks.join('')
    transcriber.receive(place + 1, Buffer.from(text))
    transcriber.settle(record(place + 1, changes))
  }
  await transcriber.end()
  expect(transcriber.problem).toBeNull()
  const transcript = parseTranscript(readFileSync(file.path, 'utf8'))
  if (!transcript) throw new Error('no transcript was written')
  expect(transcript.unreadable).toBe(0)
  return transcript
}

export const ask = (...messages: [role: string, content: string][]) => ({
  protocol: 'anthropic' as const,
  json: { messages: messages.map(([role, content]) => ({ role, content })) },
})
export const say = (text: string) => turn({ say: text })
