import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A server with the parts of S3 that an evidence store needs, over real HTTP; it checks every signature. */
export type StandIn = {
  url: string
  bucket: string
  /**
   * The value of PROOFBOARD_EVIDENCE_URL for a prefix, and the accepted keys. Servers with data folders of their own
   * share the bucket if they name one board.
   */
  settings: (prefix?: string, board?: string) => Record<string, string>
  objects: Map<string, StoredBytes>
  /** Number of requests since the start, by method. */
  counts: Map<string, number>
  /** Sets the faults from now on; `{}` = none. */
  fail: (faults: Faults) => void
  close: () => Promise<void>
}

type StoredBytes = { bytes: Buffer; modifiedAt: Date }

type Faults = {
  /** The number of next requests that fail with 500. */
  errors?: number
  /** Share of all requests that fail with 500, 0–1. */
  share?: number
  /** Delay of every response. */
  slowMs?: number
  /** The number of next responses whose body breaks off in the middle. */
  cuts?: number
  /** Writing is refused with 403. */
  isReadOnly?: boolean
  /** Everything is refused with this code. */
  refusal?: string
}

const KEY_ID = 'STANDINKEY'
const SECRET = 'stand-in/secret+of+no+worth'
const REGION = 'eu-test-1'
const PAGE = 1000

/** Starts one on a free port, by default for this machine only. `pageSize` = maximum names in one listing. */
export async function startStandIn({
  pageSize = PAGE,
  port = 0,
  host = '127.0.0.1',
} = {}): Promise<StandIn> {
  const bucket = 'evidence'
  const objects = new Map<string, StoredBytes>()
  const counts = new Map<string, number>()
  const state: { faults: Faults } = { faults: {} }
  const server = createServer((request, response) => {
    counts.set(request.method ?? '', (counts.get(request.method ?? '') ?? 0) + 1)
    respond(request, { bucket, objects, faults: state.faults, pageSize })
      .then((reply) => send(response, reply, state.faults))
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    bucket,
    objects,
    counts,
    settings: (prefix = '', board) => ({
      PROOFBOARD_EVIDENCE_URL: `s3://${bucket}/${prefix}?endpoint=${url}&region=${REGION}${board ? `&board=${board}` : ''}`,
      AWS_ACCESS_KEY_ID: KEY_ID,
      AWS_SECRET_ACCESS_KEY: SECRET,
    }),
    fail: (faults) => {
      state.faults = faults
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type StoreResponse = { status: number; body?: Buffer; headers?: Record<string, string> }
type World = {
  bucket: string
  objects: Map<string, StoredBytes>
  faults: Faults
  pageSize: number
}

async function respond(request: IncomingMessage, world: World): Promise<StoreResponse> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const { faults } = world
  if (faults.slowMs) await pause(faults.slowMs)
  const fault = injected(faults)
  if (fault) return fault
  const refusal = refuseSignature(request, body)
  if (refusal !== null) return problem(refusal.endsWith('Mismatch') ? 400 : 403, refusal)
  const url = new URL(request.url ?? '/', 'http://stand-in')
  const [, bucket = '', ...rest] = url.pathname.split('/')
  if (bucket !== world.bucket) return problem(404, 'NoSuchBucket')
  const key = rest.map(decodeURIComponent).join('/')
  if (key === '') return list(url.searchParams, world)
  return request.method === 'GET' || request.method === 'HEAD'
    ? get(request, key, world)
    : write(request, { key, body }, world)
}

function injected(faults: Faults): StoreResponse | null {
  if (faults.refusal) return problem(403, faults.refusal)
  const isUnlucky = randomBytes(4).readUInt32BE() / 2 ** 32 < (faults.share ?? 0)
  if (!isUnlucky && (faults.errors ?? 0) === 0) return null
  if (!isUnlucky) faults.errors = (faults.errors ?? 1) - 1
  return problem(500, 'InternalError')
}

function write(request: IncomingMessage, { key, body }: Sent, world: World): StoreResponse {
  if (world.faults.isReadOnly) return problem(403, 'AccessDenied')
  if (request.method === 'PUT') return put(request, { key, body }, world)
  world.objects.delete(key)
  return { status: 204 }
}

type Sent = { key: string; body: Buffer }

function put({ headers }: IncomingMessage, { key, body }: Sent, { objects }: World): StoreResponse {
  if (headers['content-length'] === undefined) return problem(411, 'MissingContentLength')
  if (headers['if-none-match'] === '*' && objects.has(key))
    return problem(412, 'PreconditionFailed')
  objects.set(key, { bytes: body, modifiedAt: new Date() })
  return { status: 200, headers: { etag: etagOf(body) } }
}

function get({ headers, method }: IncomingMessage, key: string, { objects }: World): StoreResponse {
  const found = objects.get(key)
  if (!found) return problem(404, 'NoSuchKey')
  const { bytes, modifiedAt } = found
  const etag = etagOf(bytes)
  const told = { etag, 'last-modified': modifiedAt.toUTCString(), 'accept-ranges': 'bytes' }
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
    return problem(412, 'PreconditionFailed')
  if (method === 'HEAD')
    return { status: 200, headers: { ...told, 'content-length': String(bytes.length) } }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (from === undefined) return { status: 200, headers: told, body: bytes }
  const start = Number(from)
  const end = Math.min(Number(to), bytes.length - 1)
  if (start > end) return problem(416, 'InvalidRange')
  const range = { 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return { status: 206, headers: { ...told, ...range }, body: bytes.subarray(start, end + 1) }
}

function list(query: URLSearchParams, { objects, pageSize }: World): StoreResponse {
  if (query.get('list-type') !== '2') return problem(400, 'InvalidArgument')
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token')
  const after = token === null ? '' : Buffer.from(token, 'base64').toString('utf8')
  const names = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = names.slice(0, pageSize)
  const contents = page.map((key) => {
    const { bytes, modifiedAt } = objects.get(key) as StoredBytes
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>&quot;x&quot;</ETag><Size>${bytes.length}</Size></Contents>`
  })
  const isCut = names.length > page.length
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64')}</NextContinuationToken>`
    : ''
  const text = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) }
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
const MAX_SKEW_MS = 15 * 60_000

/** Checks a request's signature by the rules of Signature Version 4 and returns the error code; null = valid. */
function refuseSignature(request: IncomingMessage, body: Buffer): string | null {
  const { headers, method = '' } = request
  const [, keyId, day, region, names = '', signature = ''] =
    SIGNED.exec(headers.authorization ?? '') ?? []
  if (keyId === undefined) return 'AccessDenied'
  if (keyId !== KEY_ID) return 'InvalidAccessKeyId'
  if (region !== REGION) return 'AuthorizationHeaderMalformed'
  const instant = String(headers['x-amz-date'])
  const at = Date.parse(instant.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  const digest = createHash('sha256').update(body).digest('hex')
  const told = headers['x-amz-content-sha256']
  if (told !== digest) return 'XAmzContentSHA256Mismatch'
  const url = new URL(request.url ?? '/', 'http://stand-in')
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return 'AccessDenied'
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  const lines = signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const canonical = [method, path.join('/'), query.sort().join('&'), lines.join(''), names, digest]
  const scope = `${day}/${region}/s3/aws4_request`
  const hashed = createHash('sha256').update(canonical.join('\n')).digest('hex')
  const key = [day ?? '', region, 's3', 'aws4_request'].reduce<Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    Buffer.from(`AWS4${SECRET}`),
  )
  const text = ['AWS4-HMAC-SHA256', instant, scope, hashed].join('\n')
  const expected = createHmac('sha256', key).update(text).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch'
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

function problem(status: number, code: string): StoreResponse {
  const body = Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

function send(
  response: ServerResponse,
  { status, headers, body }: StoreResponse,
  faults: Faults,
): void {
  const length = body && { 'content-length': String(body.length) }
  response.writeHead(status, { ...headers, ...length })
  const isCut = status < 300 && body && body.length > 1 && (faults.cuts ?? 0) > 0
  if (!isCut) return void response.end(body)
  faults.cuts = (faults.cuts ?? 1) - 1
  response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}
