import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isLoopback, parseJson } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { deliveryError, usageError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { planRetry } from '../submit/deliver.ts'

/** The API of a repository on GitHub or a compatible server; `token` is sent to this address only. */
export type GithubAccess = { api: URL; repository: string; token: string }

/** The token lacks permission: on a pull request of a fork it is read-only. */
export class NotPermitted extends Error {}

type GithubRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: unknown
  /** Retried only if it was certainly not executed. */
  isOnce?: boolean
}
export type GithubAnswer = { status: number; headers: IncomingHttpHeaders; value: unknown }

const WAIT_MS = 30_000
const MAX_BYTES = 32e6
const MAX_TRIES = 5
/** Builds the access from a workflow's environment. Throws a RunnerError that names what is missing. */
export function githubAccess(env: Env): GithubAccess {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_TOKEN: token = '' } = env
  const api = env.GITHUB_API_URL ?? 'https://api.github.com'
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw usageError('GITHUB_REPOSITORY must be owner/name: run this in a workflow')
  if (token === '') throw usageError('GITHUB_TOKEN is not set: pass the token of the workflow')
  if (!URL.canParse(api)) throw usageError('GITHUB_API_URL is not an address')
  const url = new URL(api)
  if (url.protocol !== 'https:' && !isLoopback(url.href))
    throw usageError('GITHUB_API_URL must be https, because the token would be sent unencrypted')
  return { api: url, repository, token }
}

/**
 * Sends one request, retried while the server fails or asks to wait. Throws `NotPermitted` if the token lacks
 * permission, and a RunnerError without a final response.
 */
export async function askGithub(
  access: GithubAccess,
  request: GithubRequest,
  onWait: (why: string) => void,
): Promise<GithubAnswer> {
  for (let made = 1; ; made++) {
    const { response, why } = await askOnce(access, request)
    const failure = response ? readFailure(response) : NO_ANSWER
    if (failure.status === 401 || failure.status === 403) throw new NotPermitted(why)
    if (response && isFinal(failure.status)) return response
    const waitMs = planWait(failure, request, made)
    if (waitMs === null) throw deliveryError(`the request to ${access.api.host} failed: ${why}`)
    onWait(`${why}: trying again in ${Math.ceil(waitMs / 1000)} s`)
    await sleep(waitMs)
  }
}

function planWait(
  failure: Failure,
  { isOnce = false }: GithubRequest,
  made: number,
): number | null {
  if (isOnce && failure.status !== 429) return null
  return planRetry(failure, {
    made,
    max: MAX_TRIES,
    chance: Math.random(),
    now: Date.now(),
  })
}

type Failure = { status: number | null; retryAfter: string | null }

const NO_ANSWER = { status: null, retryAfter: null }

/** Returns true for a response that a retry would not change. */
function isFinal(status: number | null): boolean {
  return status !== null && status < 500 && status !== 429 && status !== 408
}

async function askOnce(
  { api, token }: GithubAccess,
  { method, path, body }: GithubRequest,
): Promise<{ response: GithubAnswer | null; why: string }> {
  const url = new URL(`${api.href.replace(/\/+$/, '')}${path}`)
  try {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const reply = await ask(url, {
      method,
      timeoutMs: WAIT_MS,
      maxBytes: MAX_BYTES,
      body: sent,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'proofboard',
        ...(sent !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(sent),
        }),
      },
    })
    const { status, headers } = reply
    const value = parseJson(reply.body.toString('utf8'))
    return { response: { status, headers, value }, why: `the server answered ${status}` }
  } catch (error) {
    return { response: null, why: (error as Error).message }
  }
}

/** A rate limit is a 403 or a 429; one of two headers states when it ends. */
function readFailure({ status, headers }: GithubAnswer): Failure {
  const retryAfter = headers['retry-after'] ?? null
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  if (status !== 403 || (retryAfter === null && !isSpent)) return { status, retryAfter }
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  const seconds = Math.max(0, Math.ceil(reset - Date.now() / 1000))
  return { status: 429, retryAfter: retryAfter ?? (Number.isNaN(seconds) ? null : String(seconds)) }
}

const commentSchema = z.object({
  id: z.number().int().positive(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
})
export type IssueComment = z.infer<typeof commentSchema>

/** GitHub's maximum. */
const PAGE = 100
const MAX_PAGES = 50

/** Reads the comments of a pull request, page by page, until one satisfies `isWanted`; null = none. */
export async function findComment(
  access: GithubAccess,
  pull: number,
  isWanted: (comment: IssueComment) => boolean,
  onWait: (why: string) => void,
): Promise<IssueComment | null> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/repos/${access.repository}/issues/${pull}/comments?per_page=${PAGE}&page=${page}`
    const { status, value } = await askGithub(access, { method: 'GET', path }, onWait)
    const parsed = z.array(commentSchema).safeParse(value)
    if (!parsed.success)
      throw deliveryError(`comments of pull request ${pull} cannot be read (answer ${status})`)
    const found = parsed.data.find(isWanted)
    if (found) return found
    if (parsed.data.length < PAGE) return null
  }
  return null
}
