import { z } from 'zod'
import { writeAudience } from '#lib/domain/accounts/index.ts'
import type { Digest } from '#lib/domain/digest/index.ts'
import { SUBMISSION_DETAIL_FIELDS } from '#lib/domain/formats/index.ts'
import { isLoopback, parseJson } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { deliveryError, usageError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'

type Target = { results: URL; plans: URL; audience: string }

type TargetOptions = { dryRun?: boolean; insecure?: boolean; say?: readonly string[] }

/** Returns the address of a board, its upload endpoint, and the audience of its tokens. Throws a RunnerError. */
export function readTarget(
  to: string,
  { dryRun = false, insecure = false, say = [] }: TargetOptions,
): Target {
  if (!URL.canParse(to))
    throw usageError(
      `--to must be the board's address, as in https://board.example, not "${to.slice(0, 80)}"`,
    )
  const board = new URL(to)
  const { protocol, hostname, username, password } = board
  if (protocol !== 'https:' && protocol !== 'http:')
    throw usageError('--to must be an https address')
  if (username || password)
    throw usageError('--to must not contain a name and password: set PROOFBOARD_TOKEN')
  if (protocol === 'http:' && !insecure && !isLoopback(board.href))
    throw usageError(
      `the token would be sent unencrypted to ${hostname}: use https, or add --insecure`,
    )
  const base = `${board.origin}${board.pathname}`.replace(/\/+$/, '')
  const results = new URL(`${base}/api/v1/results`)
  if (dryRun) results.searchParams.set('dryRun', '1')
  for (const detail of say) results.searchParams.set(...readSaid(detail))
  return { results, plans: new URL(`${base}/api/v1/plans`), audience: base }
}

/** Parses `subject=claude-code`: a field and its value. */
function readSaid(detail: string): [field: string, value: string] {
  const [, field = '', value = ''] = /^(\w+)=(.+)$/s.exec(detail) ?? []
  if (!SUBMISSION_DETAIL_FIELDS.some((known) => known === field))
    throw usageError(
      `--say must name ${SUBMISSION_DETAIL_FIELDS.join(', ')}, as in --say subject=claude-code, not "${detail.slice(0, 80)}"`,
    )
  return [field, value]
}

export type Auth = 'auto' | 'oidc' | 'token'
/** A way to get the token for a payload: called before each try, since identity tokens expire quickly. */
export type TokenSource = {
  kind: 'oidc' | 'token'
  tokenFor: (digest: Digest) => Promise<string>
}

/**
 * Chooses the credential of the results: a workflow's own identity if its runner can issue one, else the upload token
 * in PROOFBOARD_TOKEN. A token is never an argument: all users of a machine can see those, and logs store them.
 */
export function chooseToken(auth: Auth, audience: string, env: Env): TokenSource {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: key } = env
  const secret = env.PROOFBOARD_TOKEN?.trim()
  if (auth !== 'token' && url && key) {
    const tokenFor = (digest: Digest) =>
      requestIdentity({ url, key, audience: writeAudience(audience, digest) })
    return { kind: 'oidc', tokenFor }
  }
  if (auth === 'oidc')
    throw usageError(
      'this workflow cannot get an identity token: give the job "permissions: id-token: write", or use --auth token',
    )
  if (!secret)
    throw usageError(
      'no token: set PROOFBOARD_TOKEN, or in a workflow give the job "permissions: id-token: write"',
    )
  if (/\s/.test(secret)) throw usageError('PROOFBOARD_TOKEN contains white space: set it again')
  return { kind: 'token', tokenFor: async () => secret }
}

const WAIT_MS = 15_000
const MAX_BYTES = 1 << 20
const answerSchema = z.object({ value: z.string().min(1) })

type IdentityRequest = { url: string; key: string; audience: string }

/**
 * Requests an identity token from the workflow's runner for one audience; the audience is all that a workflow may
 * choose, so it contains the payload's digest. Throws a retryable RunnerError.
 */
async function requestIdentity({ url, key, audience }: IdentityRequest): Promise<string> {
  const address = new URL(url)
  address.searchParams.set('audience', audience)
  try {
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
    const limits = { timeoutMs: WAIT_MS, maxBytes: MAX_BYTES }
    const { status, body } = await ask(address, { headers, ...limits })
    if (status !== 200) throw new Error(`it answered ${status}`)
    return answerSchema.parse(parseJson(body.toString('utf8'))).value
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'no answer'
    const message = `the workflow's runner returned no identity token (${why})`
    throw deliveryError(message, { cause: error })
  }
}
