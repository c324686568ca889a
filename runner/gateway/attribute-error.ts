import type { TroubleKind } from './gateway-report.ts'

/**
 * The party that caused a failed model call. Failures of the provider exclude the attempt; the agent's own failures
 * count.
 */
export type CallFailure =
  | { by: 'provider'; kind: TroubleKind }
  | { by: 'agent'; kind: 'context-length' | 'content-policy' | 'invalid-request' }

/**
 * Error of a failed call as seen from outside: the HTTP status (null = none came) and the error in the body, a choice
 * or an event.
 */
export type SeenError = {
  status: number | null
  /** Type and code of the error, and its message; null = the body has no error. */
  error: { type: string; message: string | null } | null
}

/**
 * Attributes a failed call by status and error together, in this order: the account, rate limits, the agent's request
 * (also behind a 5xx), the status, the error's type. Returns null where nothing failed.
 */
export function attributeError({ status, error }: SeenError): CallFailure | null {
  const failed = status !== null && status >= 400
  if (!failed && error === null) return null
  const type = error?.type ?? ''
  const message = error?.message ?? ''
  if (isAccountProblem(type, message)) return { by: 'provider', kind: 'unauthorised' }
  if (status === 429 || RATE_TYPE.test(type)) return { by: 'provider', kind: 'rate-limited' }
  if (isContextLength(type, message) || status === 413)
    return { by: 'agent', kind: 'context-length' }
  if (isContentPolicy(type, message)) return { by: 'agent', kind: 'content-policy' }
  return failed ? attributeStatus(status, type) : attributeType(type)
}

function attributeStatus(status: number, type: string): CallFailure {
  if (status === 404) return { by: 'provider', kind: 'unknown-model' }
  if ([401, 402, 403].includes(status)) return { by: 'provider', kind: 'unauthorised' }
  if (TRANSIENT.has(status)) return { by: 'provider', kind: 'transient' }
  if (status === 503 || status === 529) return { by: 'provider', kind: 'overloaded' }
  if (status < 500 || INVALID_TYPE.test(type)) return { by: 'agent', kind: 'invalid-request' }
  return { by: 'provider', kind: 'server-error' }
}

/**
 * Handles an error in a response that began with 200; several routers put the status of their upstream into the error's
 * type.
 */
function attributeType(type: string): CallFailure {
  const code = /^[45]\d\d$/.exec(type)
  if (code) return attributeStatus(Number(code[0]), '')
  if (OVERLOADED_TYPE.test(type)) return { by: 'provider', kind: 'overloaded' }
  if (ACCOUNT_TYPE.test(type)) return { by: 'provider', kind: 'unauthorised' }
  if (INVALID_TYPE.test(type)) return { by: 'agent', kind: 'invalid-request' }
  return { by: 'provider', kind: 'server-error' }
}

/** Timeouts and conflicts on the way to the model: Request Timeout, Conflict, Too Early, nginx's Client Closed Request. */
const TRANSIENT = new Set([408, 409, 425, 499])

const RATE_TYPE = /rate_?limit|resource_?exhausted|throttl|too_?many_?requests|^429$/i
const OVERLOADED_TYPE = /overloaded|unavailable/i
const ACCOUNT_TYPE =
  /authentication|permission|unauthenticated|unauthorized|billing|quota|invalid_api_key/i
const INVALID_TYPE =
  /invalid_?(request|argument|parameter|value|prompt|params)|bad_?request|unsupported_?(parameter|value)|missing_?required|validation_?error|unprocessable/i
const CONTEXT =
  /context[_ -]?(length|window)|contextwindow|maximum context|prompt is too long|input is too long|input token count|request_too_large|string_above_max_length/i
const POLICY_TYPE =
  /content_?(policy|filter)|contentpolicy|contentfilter|responsibleaipolicy|safety|moderation|prohibited_content/i
const POLICY_MESSAGE = /content (management )?policy|content filter|flagged|moderation/i

/** Sent with status 400 or 429 by providers that mean the account; matched at the start only, where no part of a request is repeated. */
const ACCOUNT_MESSAGES = [
  'Your credit balance is too low',
  'API key not valid',
  'API key expired',
  'Your account is not active',
  'You exceeded your current quota',
]

function isContextLength(type: string, message: string): boolean {
  return CONTEXT.test(type) || CONTEXT.test(message)
}

function isContentPolicy(type: string, message: string): boolean {
  return POLICY_TYPE.test(type) || POLICY_MESSAGE.test(message)
}

function isAccountProblem(type: string, message: string): boolean {
  if (/insufficient_?(quota|balance|credits)|billing_/i.test(type)) return true
  return ACCOUNT_MESSAGES.some((beginning) => message.startsWith(beginning))
}

/** Finish reasons that report an error of the provider. */
const ERROR_STOPS = /^(error|network_error|failed|cancelled|abort(ed)?|timeout)(:|$)/i

/**
 * Attributes a complete response with status 200 without an error object: an error as its finish reason, or an empty
 * response.
 */
export function attributeAnswer(result: {
  stopReason: string | null
  hasContent: boolean
  refused: boolean
  /** Null = unknown. */
  outputTokens: number | null
}): CallFailure | null {
  const { stopReason, hasContent, refused, outputTokens } = result
  if (stopReason === null) return { by: 'provider', kind: 'cut' }
  if (ERROR_STOPS.test(stopReason)) return { by: 'provider', kind: 'server-error' }
  const isEmpty = !hasContent && !refused && (outputTokens ?? 0) === 0
  return isEmpty ? { by: 'provider', kind: 'empty' } : null
}
