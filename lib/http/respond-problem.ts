import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import type { problemSchema } from '#lib/domain/api/problem-schema.ts'
import { AppError, type ErrorCode } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { logSafeJson } from './log-safe-json.ts'

/** One thing that is wrong with what was sent, and where it stands in it. */
export type ProblemDetail = { path: string; message: string }

type ProblemOrder = {
  status: number
  code: ErrorCode | 'internal'
  /** What happened, what was kept, what to do. */
  detail: string
  requestId: string | null
  errors?: readonly ProblemDetail[]
  /** Members of this kind of problem alone. */
  more?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

const log = createLog('http')

/** A refusal as RFC 9457 has it, in lines that a person reads in a CI log; `error` is what every route of ours has. */
export function respondProblem(order: ProblemOrder): Response {
  const { status, code, detail, requestId, errors, more, headers } = order
  const body: z.infer<typeof problemSchema> = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Refused',
    status,
    detail,
    code,
    ...(requestId !== null && { requestId }),
    ...(errors && { errors: [...errors] }),
    ...more,
    error: { code, message: detail },
  }
  return new Response(logSafeJson(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/** Seconds after which it is worth another try, where the error does not say it itself. */
const RETRY_SECONDS: Partial<Record<number, number>> = { 429: 5, 503: 5 }

/**
 * Whatever was thrown, as a problem; what nobody foresaw is logged, and told without its message, by the id that the log
 * knows it by.
 */
export function respondError(
  error: unknown,
  requestId: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!(error instanceof AppError)) {
    log.error('a request failed, please report this bug', { error })
    const quote =
      requestId === null ? '' : ` Include the request id ${requestId} when you report it.`
    const detail = `Something went wrong here, and nothing was stored.${quote}`
    return respondProblem({ status: 500, code: 'internal', detail, requestId, headers })
  }
  const { code, message, httpStatus: status, retryAfterMs } = error
  const told = retryAfterMs === null ? null : Math.max(1, Math.ceil(retryAfterMs / 1000))
  const seconds = told ?? RETRY_SECONDS[status]
  return respondProblem({
    status,
    code,
    detail: message,
    requestId,
    errors: [{ path: '(root)', message }],
    headers: {
      ...(code === 'unauthorised' && { 'WWW-Authenticate': 'Bearer realm="proofboard"' }),
      ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
      ...headers,
    },
  })
}
