import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { AppError } from '../../errors.ts'
import { openRequest, whyUnreached } from '../../outgoing/request.ts'
import type { S3Settings } from './s3-settings.ts'

/** Keys that sign requests: never part of a message or a log. */
export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null }

/** A body of known size and digest; `file` is streamed from the disk, at any size. */
export type S3Body = { hex: string; sizeBytes: number } & ({ file: string } | { bytes: Uint8Array })

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Relative to the bucket's prefix; empty = the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: S3Body
}

export type S3Response = { status: number; headers: IncomingMessage['headers']; body: Readable }

const TRIES = 4
const FIRST_WAIT_MS = 200
/** Timeout after which a request without a response is retried. */
const SILENT_MS = 20_000
const EMPTY_HEX = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Client of one bucket: signs requests, and retries after 5xx, 429, timeouts and broken connections. */
export class S3Client {
  readonly #settings: S3Settings
  readonly #keys: S3Keys

  constructor(settings: S3Settings, keys: S3Keys) {
    this.#settings = settings
    this.#keys = keys
  }

  /** Display name, without keys and endpoint. */
  get name(): string {
    const { bucket, prefix } = this.#settings
    return `s3://${bucket}/${prefix}`.replace(/\/$/, '')
  }

  /** Returns the full name of an object, as the bucket lists it. */
  keyOf(key: string): string {
    return `${this.#settings.prefix}${key}`
  }

  /**
   * Returns the response with any status below 500 except 403; its body has to be read or destroyed. Throws
   * evidence-unavailable.
   */
  async send(request: S3Request): Promise<S3Response> {
    let problem = ''
    for (let tried = 0; tried < TRIES; tried++) {
      if (tried > 0) await pause(FIRST_WAIT_MS * 2 ** (tried - 1) * (0.5 + Math.random()))
      const response = await this.#try(request).catch((error: unknown) => describe(error))
      if (typeof response === 'string') problem = response
      else if (response.status === 403 || response.status === 401)
        throw await this.#refused(response)
      else if (response.status < 500 && response.status !== 429) return response
      else {
        response.body.destroy()
        problem = `it answers ${response.status}`
      }
    }
    const message = `the evidence store ${this.name} cannot be reached: ${problem}; nothing was lost, try again later`
    throw new AppError('evidence-unavailable', message, { retryAfterMs: 5000 })
  }

  async #try({ method, key, query, headers, body }: S3Request): Promise<S3Response> {
    const url = this.#url(key, query)
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      headers: { ...headers, 'x-amz-content-sha256': body?.hex ?? EMPTY_HEX },
      service: 's3',
      region: this.#settings.region,
      accessKeyId: this.#keys.accessKeyId,
      secretAccessKey: this.#keys.secretAccessKey,
      ...(this.#keys.sessionToken === null ? {} : { sessionToken: this.#keys.sessionToken }),
    })
    const signed = await signer.sign()
    const sent = { ...Object.fromEntries(signed.headers), 'content-length': sizeOf(body) }
    return exchange(url, { method, headers: sent }, body)
  }

  #url(key: string, query: S3Request['query'] = {}): URL {
    const { endpoint, bucket, style } = this.#settings
    const url = new URL(endpoint)
    if (style === 'host') url.hostname = `${bucket}.${url.hostname}`
    const path = key === '' ? '' : this.keyOf(key)
    const parts = [...(style === 'path' ? [bucket] : []), ...path.split('/')]
    url.pathname = `/${parts.map(encodeURIComponent).join('/')}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async #refused({ body }: S3Response): Promise<AppError> {
    const code = /<Code>(\w{1,60})<\/Code>/.exec(await readWholeBody(body))?.[1] ?? 'AccessDenied'
    const fix = FIXES[code] ?? 'check the rights of the key on this bucket'
    const message = `the evidence store ${this.name} refuses this server (${code}): ${fix}`
    return new AppError('evidence-refused', message)
  }
}

const FIXES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the one of this key',
  RequestTimeTooSkewed: 'the clock of this machine is wrong by more than 15 minutes',
}

function sizeOf(body: S3Body | undefined): string {
  return String(body?.sizeBytes ?? 0)
}

type Outgoing = { method: string; headers: Record<string, string> }

async function exchange(url: URL, outgoing: Outgoing, body?: S3Body): Promise<S3Response> {
  const sending = openRequest(url, { ...outgoing, timeout: SILENT_MS })
  sending.on('timeout', () => sending.destroy(new Error('it does not respond')))
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve).once('error', reject)
  })
  const sent = pipeline(source(body), sending)
  // A server may respond, and close, before it read everything: its response is used.
  sent.catch(() => {})
  const message = await answered
  message.setTimeout(SILENT_MS, () => message.destroy(new Error('it stopped sending')))
  return { status: message.statusCode ?? 0, headers: message.headers, body: message }
}

function source(body: S3Body | undefined): Readable {
  if (!body) return Readable.from([])
  return 'file' in body ? createReadStream(body.file) : Readable.from([Buffer.from(body.bytes)])
}

function describe(error: unknown): string {
  return whyUnreached(error).slice(0, 200)
}

const MAX_TEXT = 4 << 20

/** Reads a short response, and truncates a longer one. */
export async function readWholeBody(body: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > MAX_TEXT) break
  }
  return Buffer.concat(parts).toString('utf8')
}
