import { describe, expect, it } from 'vitest'
import { attributeAnswer, attributeError } from './attribute-error.ts'

const data = (status: number | null, type?: string, message: string | null = null) => {
  const error = type === undefined ? null : { type, message }
  const found = attributeError({ status, error })
  return found && `${found.by} ${found.kind}`
}

describe('who caused a failed call', () => {
  it.each<[string, number | null, string | undefined, string | null, string | null]>([
    ['nothing failed', 200, undefined, null, null],
    // Attributed by the status alone.
    ['a request without a valid form', 400, undefined, null, 'agent invalid-request'],
    ['a bad key', 401, undefined, null, 'provider unauthorised'],
    ['no money', 402, undefined, null, 'provider unauthorised'],
    ['a forbidden model', 403, undefined, null, 'provider unauthorised'],
    ['no such model', 404, undefined, null, 'provider unknown-model'],
    ['a timeout of a proxy', 408, undefined, null, 'provider transient'],
    ['a conflict', 409, undefined, null, 'provider transient'],
    ['a body too large', 413, undefined, null, 'agent context-length'],
    ['a request that cannot be processed', 422, undefined, null, 'agent invalid-request'],
    ['too early', 425, undefined, null, 'provider transient'],
    ['a rate limit', 429, undefined, null, 'provider rate-limited'],
    ['a client closed to a proxy', 499, undefined, null, 'provider transient'],
    ['a server error', 500, undefined, null, 'provider server-error'],
    ['a bad gateway', 502, undefined, null, 'provider server-error'],
    ['unavailable', 503, undefined, null, 'provider overloaded'],
    ['a gateway timeout', 504, undefined, null, 'provider server-error'],
    ['a web server that is down', 521, undefined, null, 'provider server-error'],
    ['a timeout behind a CDN', 524, undefined, null, 'provider server-error'],
    ['overloaded', 529, undefined, null, 'provider overloaded'],
    // The account, for any status.
    [
      'an empty account as 400',
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the API.',
      'provider unauthorised',
    ],
    ['a spent quota as 429', 429, 'insufficient_quota', null, 'provider unauthorised'],
    // Rate limits, for any status and message.
    [
      'a limit of tokens a minute as 413',
      413,
      'tokens rate_limit_exceeded',
      null,
      'provider rate-limited',
    ],
    [
      'throttling as 400',
      400,
      'ThrottlingException',
      'Too many tokens, please wait',
      'provider rate-limited',
    ],
    ['an exhausted resource in a stream', 200, 'RESOURCE_EXHAUSTED', null, 'provider rate-limited'],
    // The agent's request, also behind a 5xx.
    [
      'a long prompt as 400',
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens',
      'agent context-length',
    ],
    [
      'a long prompt as 500',
      500,
      'api_error',
      "This model's maximum context length is 8192",
      'agent context-length',
    ],
    ['a long prompt in a stream', 200, 'context_length_exceeded', null, 'agent context-length'],
    ['a policy as 500', 500, 'ContentPolicyViolationError', null, 'agent content-policy'],
    ['moderation as 403', 403, '403', 'Your input was flagged', 'agent content-policy'],
    ['an invalid request as 502', 502, 'invalid_request_error', null, 'agent invalid-request'],
    ['an invalid argument in a stream', 200, 'INVALID_ARGUMENT', null, 'agent invalid-request'],
    // Errors inside a 200.
    ['overloaded in a stream', 200, 'overloaded_error', null, 'provider overloaded'],
    [
      'a status of the upstream as code',
      200,
      '502',
      'Provider returned error',
      'provider server-error',
    ],
    ['a timeout of the upstream as code', 200, '408', null, 'provider transient'],
    ['a server error in a stream', 200, 'server_error', null, 'provider server-error'],
    ['an unknown error in a stream', 200, 'error', null, 'provider server-error'],
    ['a refused key in a stream', 200, 'authentication_error', null, 'provider unauthorised'],
  ])('%s', (_what, status, type, message, expected) => {
    expect(data(status, type, message)).toBe(expected)
  })
})

describe('who caused an answer without an error', () => {
  const whole: Parameters<typeof attributeAnswer>[0] = {
    stopReason: 'stop',
    hasContent: true,
    refused: false,
    outputTokens: 5,
  }
  it.each<[string, Partial<typeof whole>, string | null]>([
    ['a whole turn', {}, null],
    ['no last word', { stopReason: null }, 'cut'],
    ['an error as finish reason', { stopReason: 'error' }, 'server-error'],
    ['a network error as finish reason', { stopReason: 'network_error' }, 'server-error'],
    ['a failed response', { stopReason: 'failed' }, 'server-error'],
    ['nothing, and no tokens', { hasContent: false, outputTokens: 0 }, 'empty'],
    ['nothing, and no usage', { hasContent: false, outputTokens: null }, 'empty'],
    ['nothing, for which tokens were counted', { hasContent: false }, null],
    ['a refusal without text', { hasContent: false, refused: true, outputTokens: 0 }, null],
  ])('%s', (_what, changes, kind) => {
    expect(attributeAnswer({ ...whole, ...changes })?.kind ?? null).toBe(kind)
  })
})
