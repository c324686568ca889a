import { expect, it } from 'vitest'
import { logContext, redactField, redactMessage, withLogContext } from './log.ts'

const line = (fields: object) => JSON.stringify(fields, redactField)

it('a log line carries no secret, by name or by how it looks', () => {
  const secret = 'pb_live_0123456789abcdef'
  const logged = line({
    headers: { authorization: `Bearer ${secret}`, cookie: 'proofboard.session_token=abcdefgh' },
    path: '/setup/0123456789abcdef0123?x=1',
    url: 'http://host/setup?token=0123456789abcdef&next=/',
    error: new Error(`refused ${secret}`, { cause: { password: 'three words' } }),
    run: `its token is pbr_${'Ab1'.repeat(14)}`,
    identity: `sent eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwcyJ9.c2lnbmVkLWhlcmU`,
    database: 'postgresql://board:hunter2@db.example:5432/board is not reachable',
    message: 'sent Basic dXNlcjpwYXNzd29yZA== as it was',
  })
  for (const words of [
    secret,
    'abcdefgh',
    '0123456789abcdef',
    'three words',
    'dXNlcjpw',
    'Ab1Ab1',
    'c2lnbmVk',
    'hunter2',
  ])
    expect(logged).not.toContain(words)
  expect(logged).toContain('refused pb_[redacted]')
})

it('leaves what is not a secret', () => {
  const fields = {
    at: 'http://host:3000/a@b',
    tokens: 12,
    path: '/runs/run_abc',
    next: '/admin',
    code: 'conflict',
  }
  expect(JSON.parse(line(fields))).toEqual(fields)
  expect(redactMessage('the plan sha256:abc of pb')).toBe('the plan sha256:abc of pb')
})

it('one line stays one line', () => {
  expect(line({ path: 'a\n{"level":"error"}\r\u2028' }).split(/[\n\r]/)).toHaveLength(1)
})

it('context adds up inside and is gone outside', async () => {
  const seen = await withLogContext({ requestId: 'a' }, async () => {
    await Promise.resolve()
    return withLogContext({ jobId: 'b' }, logContext)
  })
  expect(seen).toEqual({ requestId: 'a', jobId: 'b' })
  expect(logContext()).toEqual({})
})
