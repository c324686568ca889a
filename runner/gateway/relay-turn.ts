import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { countOf } from '#lib/domain/text/index.ts'
import { AnswerMeter } from './answer-meter.ts'
import { attributeAnswer, attributeError, type CallFailure } from './attribute-error.ts'
import { type BilledUsage, readBilledUsage } from './billed-usage.ts'
import { interfere } from './break-turn.ts'
import type { OpenCall } from './call-ledger.ts'
import type { FaultPlan } from './faults.ts'
import type { GatewayContext } from './gateway-context.ts'
import { answerHeaders, requestHeaders, type Upstream, upstreamUrl } from './headers.ts'
import type { UpstreamAnswer } from './http.ts'
import { at, listAt } from './json-value.ts'
import { findImplausible } from './plausible-usage.ts'
import { readResetTime } from './read-reset.ts'
import type { Reading } from './read-turn.ts'
import type { CallTape } from './recorder.ts'
import { cleanError, type RelayEnding, relay } from './relay.ts'
import type { ModelRequest } from './route-request.ts'
import { settleCall } from './settle-call.ts'

/** A model turn under way. */
export type Turn = {
  context: GatewayContext
  upstream: Upstream
  request: ModelRequest
  call: OpenCall
  client: ServerResponse
}

/** Passes a response on while the meter and the recorder read it, then records the result. */
export async function relayTurn(
  turn: Turn,
  found: UpstreamAnswer,
  fault: FaultPlan | null,
): Promise<void> {
  const { context, upstream, request, call, client } = turn
  const { ledger } = context
  const isError = found.status >= 400
  const response = isError ? cleanError(found, context.realKeys) : found
  const interference = fault && !isError ? interfere(fault) : null
  const tape = startTape(turn, response)
  const { transcriber } = context.options
  const meter = new AnswerMeter(request.protocol, contentOf(response), (chunk) => {
    tape?.receive(chunk, ledger.sinceStart(call))
    transcriber?.receive(call.record.number, chunk)
  })
  call.record.status = response.status
  if (!client.closed)
    client.writeHead(response.status, headers(response, interference !== null)).flushHeaders()
  const listen = (chunk: Uint8Array) => {
    call.record.firstByteMs ??= ledger.sinceStart(call)
    return meter.write(chunk)
  }
  const onUnread = (isUnread: boolean) => {
    call.unreadSinceMs = isUnread ? performance.now() : null
  }
  const end = await relay(response, client, listen, interference, onUnread)
  const reading = await meter.end()
  tape?.finish(end.ending === 'whole' || end.ending === 'fault')
  ledger.noteIds(reading.ids)
  const costHeader = found.headers['x-litellm-response-cost']
  const stated = typeof costHeader === 'string' ? costHeader : null
  const billed = readBilledUsage(request.protocol, reading, stated)
  note(call, end, reading)
  call.record.failure = findFailure(call, reading, billed.stated.output, request)
  if (call.record.failure?.by === 'provider') {
    call.record.isStep = false
    const nowMs = Date.parse(context.options.clock.now())
    const resetMs = readResetTime(found.headers, reading.error?.raw, nowMs)
    call.record.retryAt = resetMs === null ? null : new Date(resetMs).toISOString()
  }
  if (response.status < 300) {
    settleCall(call.record, upstream, billed, context.options.price)
    call.record.implausible = checkUsage(turn, billed, reading)
  }
  if (fault) recordFault(context, fault, call, interference !== null)
}

/** Scripts state invented usage, so it is not checked. */
function checkUsage(
  { context: { options }, request }: Turn,
  { stated }: BilledUsage,
  reading: Parameters<typeof findImplausible>[2],
): string | null {
  return options.paysProvider === false ? null : findImplausible(request, stated, reading)
}

function contentOf({ headers: fields }: UpstreamAnswer): { type: string; encoding: string } {
  return { type: fields['content-type'] ?? '', encoding: fields['content-encoding'] ?? '' }
}

/** A disturbed response no longer has the length that its source announced. */
function headers(response: UpstreamAnswer, isDisturbed: boolean): OutgoingHttpHeaders {
  const all = answerHeaders(response.headers)
  if (isDisturbed) delete all['content-length']
  return all
}

function startTape({ context, request }: Turn, response: UpstreamAnswer): CallTape | null {
  const { recorder } = context.options
  if (!recorder) return null
  return recorder.record({
    protocol: request.protocol,
    path: request.path,
    body: neutralText(context, request.text),
    status: response.status,
    headers: response.headers,
  })
}

function note(
  { record }: OpenCall,
  end: RelayEnding,
  reading: Reading & { readable: boolean },
): void {
  record.ending = end.ending
  record.responseBytes = end.bytes
  record.model = reading.model
  record.rawUsage = reading.rawUsage
  record.toolCalls = reading.toolCalls
  record.toolAsks = reading.tools.list()
  record.stopReason = reading.stopReason
  record.refused = reading.refused
  record.streamError = reading.error?.type ?? null
  record.errorMessage = reading.error?.message ?? null
  const isAnswered = record.status !== null && record.status < 300 && end.ending === 'whole'
  // A response that cannot be decoded is complete if HTTP ended normally.
  const isComplete = reading.complete || !reading.readable
  // A broken event between the others removes nothing from the turn: agents that skip it have the complete turn.
  const isWhole = record.fault === null || (record.fault === 'malformed-event' && record.streams)
  record.isStep = isAnswered && isComplete && reading.error === null && isWhole
}

/** Returns the party that caused the failure of a call; null if it did not fail, or if its encoding cannot be read. */
function findFailure(
  { record }: OpenCall,
  reading: Reading & { readable: boolean },
  outputTokens: number | null,
  request: ModelRequest,
): CallFailure | null {
  if (record.ending !== 'whole') return null
  const { type = '', code, message = null } = reading.error ?? {}
  const error = reading.error && { type: [type, code].filter(Boolean).join(' '), message }
  const failed = attributeError({ status: record.status, error })
  if (failed || !reading.readable) return failed
  const hasContent = reading.hasContent || asksForNothing(request.json)
  return attributeAnswer({ ...reading, hasContent, outputTokens })
}

const FEW_TOKENS = 16

/** Returns true if the request itself can lead to empty output, by stop sequences or a token limit. */
function asksForNothing(json: unknown): boolean {
  const config = at(json, 'generationConfig') ?? at(json, 'generation_config') ?? json
  const stops = ['stop', 'stop_sequences', 'stopSequences'].map((name) => at(config, name))
  const limits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens']
  return (
    stops.some((stop) => typeof stop === 'string' || listAt(stop).length > 0) ||
    limits.some((name) => Number(at(config, name) ?? FEW_TOKENS) < FEW_TOKENS)
  )
}

function recordFault(
  { faults, ledger }: GatewayContext,
  plan: FaultPlan,
  { record }: OpenCall,
  wasDisturbed: boolean,
): void {
  if (!wasDisturbed) {
    record.fault = null // the provider failed by itself before the fault could
    return
  }
  if (record.ending === 'whole' || record.ending === 'client-gone') record.ending = 'fault'
  faults.record({
    kind: plan.kind,
    step: ledger.tally().steps + 1,
    call: record.number,
    at: record.startedAt,
    evidence: `client was sent ${countOf(record.responseBytes, 'byte')} of the answer`,
  })
}

type FoundAnswer =
  | { kind: 'answer'; response: UpstreamAnswer; source: 'upstream' | 'replay' }
  | { kind: 'replay-miss'; key: string }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'client-gone' }

/** Returns the head of a response, from the recording if there is one, else from the provider. */
export async function findAnswer(
  { context, upstream, request: modelRequest, client }: Turn,
  sentText: string,
): Promise<FoundAnswer> {
  const { replayer } = context.options
  if (replayer) {
    const { key, response } = replayer.respond(
      modelRequest.path,
      neutralText(context, modelRequest.text),
    )
    return response ? { kind: 'answer', response, source: 'replay' } : { kind: 'replay-miss', key }
  }
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  if (client.closed) left.abort()
  try {
    const response = await context.pool.call({
      url: upstreamUrl(upstream, modelRequest.path, modelRequest.query),
      method: 'POST',
      ...request(context, upstream, modelRequest, sentText),
      signal: left.signal,
    })
    return { kind: 'answer', response, source: 'upstream' }
  } catch (error) {
    if (left.signal.aborted) return { kind: 'client-gone' }
    return { kind: 'unreachable', reason: (error as NodeJS.ErrnoException).code ?? 'no answer' }
  } finally {
    client.removeListener('close', onClose)
  }
}

/** An unchanged request is sent with its original bytes. */
function request(
  { dummyKey, secret }: GatewayContext,
  upstream: Upstream,
  modelRequest: ModelRequest,
  sentText: string,
) {
  const body = sentText === modelRequest.text ? modelRequest.bytes : Buffer.from(sentText, 'utf8')
  const headers = requestHeaders(modelRequest.headers, upstream.headers, body.length, [
    dummyKey,
    secret,
  ])
  return { body, headers }
}

/** Removes this gateway's own random values: an agent that prints its environment repeats them to the model. */
function neutralText({ secret, dummyKey }: GatewayContext, text: string): string {
  return text.replaceAll(secret, '<secret>').replaceAll(dummyKey, '<key>')
}
