/** Error codes, with the HTTP status of each. */
export const HTTP_STATUS = {
  'invalid-request': 400,
  unauthorised: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-type': 415,
  'no-such-range': 416,
  misdirected: 421,
  'invalid-episode': 422,
  'too-many-requests': 429,
  'bad-configuration': 500,
  'runner-failed': 502,
  'evidence-damaged': 502,
  'evidence-unavailable': 503,
  'evidence-refused': 503,
  'issuer-unreachable': 503,
  'too-many-readers': 503,
  'database-busy': 503,
  'database-newer': 503,
  'database-unusable': 503,
  'disk-full': 507,
} as const

export type ErrorCode = keyof typeof HTTP_STATUS

/** An expected failure with a message for the user: what happened, what was stored, what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  /** Milliseconds after which a retry may succeed; null = waiting does not help. */
  readonly retryAfterMs: number | null

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.retryAfterMs = retryAfterMs ?? null
  }

  get httpStatus(): number {
    return HTTP_STATUS[this.code]
  }
}
