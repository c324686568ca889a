import { isUtf8 } from 'node:buffer'
import { setImmediate as breathe } from 'node:timers/promises'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import {
  type FindSecrets,
  type FoundSecret,
  RULE_COUNT,
  secretFinder,
} from '../redact/find-secrets.ts'
import { placeholder, type Redacted, redactText } from '../redact/redact.ts'

import type { RecordedCall, Recording } from './recording.ts'
import { recordingDigest } from './recording.ts'
import { requestKey } from './request-key.ts'

const MAX_BYTES = 256 << 20
/** The only response headers that change a client's behaviour. */
const KEPT_HEADERS = ['content-type', 'retry-after']

type RecordedRequest = {
  protocol: Protocol
  path: string
  body: string
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** One response while it arrives. */
export type CallTape = {
  receive: (chunk: Uint8Array, sinceRequestMs: number) => void
  finish: (whole: boolean) => void
}

type RawCall = RecordedRequest & { pieces: [number, Uint8Array][]; whole: boolean }

/** Members in which a stream carries a text in fragments. */
const FRAGMENT =
  /"(text|thinking|partial_json|delta|content|reasoning_content|arguments|refusal)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

class CallRedactor {
  readonly #find
  readonly #places
  #before = ''
  replaced = 0

  constructor(secrets: readonly string[], places: Readonly<Record<string, string>>) {
    this.#find = secretFinder(secrets)
    this.#places = places
  }

  redact(call: RawCall): RecordedCall {
    const key = requestKey(call.path, call.body, this.#places)
    const request = this.#clean(call.body)
    const shared = share(this.#before, request)
    this.#before = request
    return {
      key,
      protocol: call.protocol,
      path: call.path,
      request: shared,
      status: call.status,
      headers: Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => {
          const value = call.headers[name]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      ),
      ...this.#answer(call),
      whole: call.whole,
    }
  }

  #answer({ pieces }: RawCall): Pick<RecordedCall, 'body' | 'pieces'> {
    const bytes = Buffer.concat(pieces.map(([, chunk]) => chunk))
    const timed = pieces.map(([ms, chunk]): [number, number] => [Math.round(ms), chunk.length])
    // A broken-off response may end inside a character; such bytes are searched as Latin-1, which is lossless.
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
    const { text, replaced } = redactEvents(bytes.toString(encoding), this.#find)
    this.replaced += replaced
    const clean = Buffer.from(text, encoding)
    const body =
      encoding === 'utf8'
        ? { encoding: 'utf8' as const, data: text }
        : { encoding: 'base64' as const, data: clean.toString('base64') }
    return { body, pieces: replaced === 0 ? timed : refit(timed, clean.length) }
  }

  #clean(text: string): string {
    const clean = redactText(text, this.#find)
    this.replaced += clean.replaced
    return clean.text
  }
}

const NO_TAPE: CallTape = { receive: () => {}, finish: () => {} }

/** Keeps requests and responses of one episode in memory; `finish` redacts them and builds the file. */
export class Recorder {
  readonly #places: Readonly<Record<string, string>>
  readonly #calls: RawCall[] = []
  #bytes = 0

  constructor(options: { places: Readonly<Record<string, string>> }) {
    this.#places = options.places
  }

  /** True if the episode was too long to record, so there is no recording. */
  get overflowed(): boolean {
    return this.#bytes > MAX_BYTES
  }

  record(request: RecordedRequest): CallTape {
    this.#take(request.body.length)
    if (this.overflowed) return NO_TAPE
    const call: RawCall = { ...request, pieces: [], whole: false }
    this.#calls.push(call)
    return {
      receive: (chunk, sinceRequestMs) => {
        this.#take(chunk.length)
        if (!this.overflowed) call.pieces.push([sinceRequestMs, Buffer.from(chunk)])
      },
      finish: (whole) => {
        call.whole = whole
      },
    }
  }

  #take(bytes: number): void {
    this.#bytes += bytes
    if (!this.overflowed) return
    this.#calls.length = 0
  }

  /**
   * Returns the recording, without the real keys of this run in any encoding; null if it overflowed or is empty. Works
   * call by call, so that other episodes in this process continue meanwhile.
   */
  async finish(about: {
    provider: string
    models: readonly string[]
    agent: { name: string; version: string | null }
    recordedAt: string
    secrets: readonly string[]
  }): Promise<{ recording: Recording; text: string } | null> {
    if (this.overflowed || this.#calls.length === 0) return null
    const redactor = new CallRedactor(about.secrets, this.#places)
    const calls: RecordedCall[] = []
    for (const call of this.#calls) {
      calls.push(redactor.redact(call))
      await breathe()
    }
    const recording: Recording = {
      manifest: {
        format: 'proofboard-recording',
        version: 1,
        provider: about.provider,
        models: [...about.models],
        agent: about.agent,
        recordedAt: about.recordedAt,
        redaction: { status: 'redacted', rules: RULE_COUNT, replaced: redactor.replaced },
        callCount: calls.length,
        digest: `sha256:${'0'.repeat(64)}`,
      },
      calls,
    }
    recording.manifest.digest = recordingDigest(recording)
    return { recording, text: canonicalJson(recording) }
  }
}

/** Scales the pieces to a body whose length changed. */
function refit(pieces: readonly [number, number][], length: number): [number, number][] {
  let left = length
  return pieces.map(([ms, size], index) => {
    const bytes = index === pieces.length - 1 ? left : Math.min(left, size)
    left -= bytes
    return [ms, bytes]
  })
}

function share(before: string, text: string): RecordedCall['request'] {
  const max = Math.min(before.length, text.length)
  let sharedStart = 0
  while (sharedStart < max && before[sharedStart] === text[sharedStart]) sharedStart += 1
  let sharedEnd = 0
  while (
    sharedEnd < max - sharedStart &&
    before[before.length - 1 - sharedEnd] === text[text.length - 1 - sharedEnd]
  )
    sharedEnd += 1
  return { sharedStart, text: text.slice(sharedStart, text.length - sharedEnd), sharedEnd }
}

type Fragment = { start: number; end: number; value: string; from: number }

/**
 * Removes secrets from an event stream, including those split over several events: the fragments of a member are joined
 * and searched, and each match is removed from every fragment it touches. The text as a whole is searched afterwards;
 * the other order would remove only half of a split secret and hide the rest.
 */
export function redactEvents(body: string, find: FindSecrets): Redacted {
  const byMember = new Map<string, Fragment[]>()
  for (const match of body.matchAll(FRAGMENT)) {
    const [, member = '', raw = ''] = match
    const value = parseJson(`"${raw}"`)
    if (typeof value !== 'string') continue
    const fragments = byMember.get(member) ?? []
    const before = fragments.at(-1)
    const start = match.index + match[0].length - raw.length - 1
    const from = before ? before.from + before.value.length : 0
    fragments.push({ start, end: start + raw.length, value, from })
    byMember.set(member, fragments)
  }
  const changes = [...byMember.values()].flatMap((fragments) => changesOf(fragments, find))
  changes.sort((a, b) => b.start - a.start)
  const joined = changes.reduce(
    (so, { start, end, raw }) => so.slice(0, start) + raw + so.slice(end),
    body,
  )
  const { text, replaced } = redactText(joined, find)
  return { text, replaced: replaced + changes.length }
}

type Change = { start: number; end: number; raw: string }

function changesOf(fragments: readonly Fragment[], find: FindSecrets): Change[] {
  const found = find(fragments.map(({ value }) => value).join(''))
  if (found.length === 0) return []
  return fragments.flatMap((fragment) => {
    const until = fragment.from + fragment.value.length
    const touching = found.filter(({ start, end }) => start < until && end > fragment.from)
    if (touching.length === 0) return []
    const value = without(fragment, touching)
    return [{ start: fragment.start, end: fragment.end, raw: JSON.stringify(value).slice(1, -1) }]
  })
}

/** Returns the fragment without its part of each match; the fragment in which a match starts gets the placeholder. */
function without({ value, from }: Fragment, touching: readonly FoundSecret[]): string {
  return [...touching].reverse().reduce((so, { start, end, kind }) => {
    const head = so.slice(0, Math.max(0, start - from))
    return `${head}${start >= from ? placeholder(kind) : ''}${so.slice(Math.max(0, end - from))}`
  }, value)
}
