import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const REPOSITORY = 'acme/shop'
const PULL = 7

export type StoredComment = { id: number; body: string; user: { login: string } }
export type StoredCheck = Record<string, unknown> & { conclusion?: string; head_sha?: string }

/** A response instead of the usual one; `isDone` = the request is still carried out. */
export type Fault = {
  method: string
  path: RegExp
  status: number
  headers?: Record<string, string>
  isDone?: boolean
}

export type GithubStandIn = {
  env: Record<string, string>
  comments: StoredComment[]
  checks: StoredCheck[]
  requests: { method: string; path: string }[]
  /** Each is used once, in this order. */
  faults: Fault[]
  /** Permissions of the token; `read` is what a fork's pull request gets. */
  rights: { value: 'write' | 'read' }
  close: () => Promise<void>
}

const bodySchema = z.object({ body: z.string() })
const TOKEN = 'ghs_stand_in'
const OURS = 'github-actions[bot]'
const MAX_BODY = 65_536

/**
 * Implements the parts of GitHub's API for posting a comparison, over real HTTP: comments in pages, checks, limits,
 * permissions.
 */
export async function startGithub(): Promise<GithubStandIn> {
  const github = {
    comments: [] as StoredComment[],
    checks: [] as StoredCheck[],
    requests: [] as { method: string; path: string }[],
    faults: [] as Fault[],
    rights: { value: 'write' as 'write' | 'read' },
  }
  const server = createServer((request, response) => {
    respond(github, request, response).catch(() => send(response, 500, {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...github,
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_TOKEN: TOKEN,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type State = Omit<GithubStandIn, 'env' | 'close'>

async function respond(github: State, request: IncomingMessage, response: ServerResponse) {
  const { method = '' } = request
  const url = new URL(request.url ?? '/', 'http://stand-in')
  const body = await readAll(request)
  github.requests.push({ method, path: url.pathname })
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(response, 401, {})
  const at = github.faults.findIndex((one) => one.method === method && one.path.test(url.pathname))
  const [fault] = at === -1 ? [] : github.faults.splice(at, 1)
  const usual = !fault || fault.isDone ? carryOut(github, { method, url, body }) : null
  if (fault) return send(response, fault.status, { message: 'planted' }, fault.headers)
  return send(response, usual?.status ?? 404, usual?.value ?? {})
}

type Asked = { method: string; url: URL; body: string }

function carryOut(github: State, { method, url, body }: Asked): { status: number; value: unknown } {
  const root = `/repos/${REPOSITORY}`
  const comments = `${root}/issues/${PULL}/comments`
  const one = new RegExp(`^${root}/issues/comments/(\\d+)$`).exec(url.pathname)
  if (method === 'GET' && url.pathname === comments)
    return { status: 200, value: pageOf(github.comments, url) }
  if (github.rights.value === 'read')
    return { status: 403, value: { message: 'Resource not accessible by integration' } }
  if (method === 'POST' && url.pathname === comments) return create(github, body)
  if (method === 'PATCH' && one) return update(github, Number(one[1]), body)
  if (method === 'POST' && url.pathname === `${root}/check-runs`) {
    github.checks.push(JSON.parse(body))
    return { status: 201, value: { id: github.checks.length } }
  }
  return { status: 404, value: { message: 'Not Found' } }
}

function pageOf(all: readonly StoredComment[], url: URL): StoredComment[] {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
  const page = Number(url.searchParams.get('page') ?? 1)
  return all.slice((page - 1) * size, page * size)
}

function create(github: State, body: string) {
  const { body: text } = bodySchema.parse(JSON.parse(body))
  if (text.length > MAX_BODY) return { status: 422, value: { message: 'body is too long' } }
  const comment = { id: 1000 + github.comments.length, body: text, user: { login: OURS } }
  github.comments.push(comment)
  return { status: 201, value: comment }
}

function update(github: State, id: number, body: string) {
  const comment = github.comments.find((one) => one.id === id)
  if (!comment) return { status: 404, value: { message: 'Not Found' } }
  comment.body = bodySchema.parse(JSON.parse(body)).body
  return { status: 200, value: comment }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function send(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
