import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileBody, Sent } from './hostile-body.ts'
import { type HostileTestServer, openTestServer } from './test-server.ts'

const SETTLED_MS = 5000

/** The result of one body. */
export type PlayedBody = {
  name: string
  status: number
  code: string
  path: string
  message: string
  /** Rows that it wrote, and files that it left behind. */
  rows: number
  leftovers: number
  /** Null = refused as required; otherwise what is wrong. */
  fault: string | null
}

/** Sends every body to a real server, each with a new database. */
export async function* playHostile(bodies: readonly HostileBody[]): AsyncGenerator<PlayedBody> {
  let ground = await openTestServer()
  try {
    for (const body of bodies) {
      const isSetUp = body.first !== undefined || body.prepare !== undefined
      yield await play(ground, body)
      if (!isSetUp) continue
      await ground.close()
      ground = await openTestServer()
    }
  } finally {
    await ground.close()
  }
}

/** Sends the bodies that need no stored results to a running server. */
export async function* playOnSite(
  bodies: readonly HostileBody[],
  site: HostileTestServer,
): AsyncGenerator<PlayedBody> {
  try {
    for (const body of bodies) if (!body.first && !body.prepare) yield await play(site, body)
  } finally {
    await site.close()
  }
}

async function play(ground: HostileTestServer, hostile: HostileBody): Promise<PlayedBody> {
  const { url, token, db } = ground
  await hostile.prepare?.(db)
  if (hostile.first) {
    const kept = await sendBody(url, token, { body: hostile.first() })
    if (kept.status !== 201) throw new Error(`the good body was not stored: ${kept.text}`)
  }
  const before = await ground.countRows()
  const made = await hostile.make()
  const result = await sendBody(url, token, isSent(made) ? made : { body: made })
  const rows = (await ground.countRows()) - before
  const leftovers = await countLeftovers(ground)
  const told = read(result)
  const fault = findFault(hostile, result, { ...told, rows, leftovers })
  return { name: hostile.name, status: result.status, ...told, rows, leftovers, fault }
}

/** A closed connection is noticed with a short delay. */
async function countLeftovers({ listLeftovers }: HostileTestServer): Promise<number> {
  for (let waited = 0; waited < SETTLED_MS && listLeftovers().length > 0; waited += 50)
    await sleep(50)
  return listLeftovers().length
}

function isSent(made: Sent | Buffer | string): made is Sent {
  return typeof made === 'object' && !Buffer.isBuffer(made)
}

type Told = Pick<PlayedBody, 'code' | 'path' | 'message'>

/** The first reason in the response. */
function read({ text }: Answer): Told {
  try {
    const {
      code = '',
      detail = '',
      errors = [],
    } = JSON.parse(text) as {
      code?: string
      detail?: string
      errors?: { path: string; message: string }[]
    }
    const [first] = errors
    return { code, path: first?.path ?? '', message: first?.message ?? detail }
  } catch {
    return { code: '', path: '', message: '' }
  }
}

function findFault(
  { status, reason }: HostileBody,
  result: Answer,
  { code, path, message, rows, leftovers }: Told & Pick<PlayedBody, 'rows' | 'leftovers'>,
): string | null {
  if (result.status !== status)
    return `answered ${result.status}, not ${status}: ${result.text.slice(0, 300)}`
  if (rows !== 0) return `wrote ${rows} rows`
  if (leftovers !== 0) return `left ${leftovers} folders behind`
  if (!`${path}: ${message}`.includes(reason))
    return `does not say "${reason}" but "${path}: ${message}"`
  // Rejections by the HTTP server itself, or a closed connection, have no message.
  if (reason !== '' && code === '') return 'the answer is not one of our problem documents'
  return null
}

/** Status 0 = the connection ended without a response. */
type Answer = { status: number; text: string; headers: Record<string, string> }

const NONE: Answer = { status: 0, text: '', headers: {} }

/** Sends a body in pieces over a new connection, as programs do. */
export function sendBody(url: string, token: string, sent: Sent): Promise<Answer> {
  if (sent.raw !== undefined) return sendRaw(url, token, sent.raw)
  const bytes = Buffer.from(sent.body as string)
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...sent.headers }
    const asking = request(`${url}/api/v1/results`, { method: 'POST', headers, agent: false })
    asking.on('error', () => resolve(NONE))
    asking.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => resolve(NONE))
      response.on('end', () => {
        const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, text, headers: Object.fromEntries(pairs) })
      })
    })
    for (let at = 0; at < bytes.length; at += 65_536) asking.write(bytes.subarray(at, at + 65_536))
    asking.end()
  })
}

/** Sends raw bytes, then closes this side of the connection. */
function sendRaw(url: string, token: string, text: string): Promise<Answer> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const tell = () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', tell)
    socket.on('close', tell)
    socket.setTimeout(15_000, () => socket.destroy())
    socket.end(text.replace('HOST', host).replace('TOKEN', token))
  })
}

/** Parses the first response of a connection. */
function readAnswer(text: string): Answer {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  // Only the JSON, chunked or not.
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return { status, text: body, headers: {} }
}
