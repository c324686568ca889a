import { expect, it } from 'vitest'
import { refuseBody, refuseHost, refusePage } from './refuse-request.ts'

const site = { publicUrl: 'https://board.example', isBehindProxy: false }
const own = { host: 'board.example', origin: 'https://board.example' }
const form = { ...own, 'content-type': 'multipart/form-data; boundary=x' }
const call = { ...own, 'content-type': 'text/plain;charset=UTF-8', 'next-action': '40aa' }
const statusOf = (method: string, headers: Record<string, string>) =>
  refusePage({ method, headers: new Headers(headers) }, site)?.status ?? null

it.each([
  ['GET', own, null],
  ['HEAD', own, null],
  ['POST', form, null],
  ['POST', call, null],
  ['POST', { ...form, origin: 'https://evil.example' }, 403],
  ['POST', { ...call, origin: 'https://evil.example' }, 403],
  ['POST', { ...form, origin: 'null' }, 403],
  ['POST', { ...form, origin: 'nonsense' }, 403],
  ['POST', { host: own.host, 'content-type': form['content-type'] }, 403],
  ['POST', { ...form, 'content-type': 'multipart/form-data' }, 405],
  ['POST', { ...call, 'content-type': 'multipart/form-data' }, 415],
  ['POST', { ...call, 'content-type': 'application/json' }, 415],
  ['POST', { ...call, 'content-encoding': 'gzip' }, 415],
  ['POST', { ...own, 'content-type': 'text/plain' }, 405],
  ['PROPFIND', own, 405],
  ['DELETE', own, 405],
])('%s %j is refused with %s', (method, headers, status) => {
  expect(statusOf(method, headers)).toBe(status)
})

it.each([
  ['board.example', null],
  ['board.example:8443', null],
  ['localhost:3000', null],
  ['127.0.0.1:3000', null],
  ['[::1]:3000', null],
  ['evil.example', 421],
  ['board.example.evil.example', 421],
  ['10.0.0.7:3000', 421],
  ['a b', 421],
])('a request for host %s is refused with %s where the address is set', (host, status) => {
  const headers = new Headers({ host })
  expect(refuseHost(headers, site)?.status ?? null).toBe(status)
  expect(refuseHost(headers, { ...site, publicUrl: null })).toBeNull()
})

it.each([
  ['http://board.example', 'board.example', null, false],
  ['https://board.example', '127.0.0.1:3000', null, false],
  ['https://board.example', 'web.internal.example:3000', null, true],
  ['https://board.example', 'web:3000', 'board.example', true],
  ['http://localhost:8080', 'localhost:8080', null, false],
])(
  'takes forms of %s where the host is %s and a proxy says %s',
  (origin, host, requested, behind) => {
    expect(formStatus({ origin, host, requested }, behind)).toBeNull()
  },
)

it.each([
  ['https://evil.example', 'board.example', null, false],
  ['https://evil.example', 'board.example', 'evil.example', false],
  ['http://board.example:8080', '127.0.0.1:3000', null, false],
  ['https://board.example.evil.example', '127.0.0.1:3000', null, false],
  ['https://evil.example', 'web:3000', 'board.example', true],
  ['null', 'board.example', null, false],
])(
  'refuses forms of %s where the host is %s and a header says %s',
  (origin, host, requested, behind) => {
    expect(formStatus({ origin, host, requested }, behind)).toBe(403)
  },
)

function formStatus(
  { origin, host, requested }: { origin: string; host: string; requested: string | null },
  isBehindProxy: boolean,
): number | null {
  const headers = new Headers({ ...form, origin, host })
  if (requested !== null) headers.set('x-forwarded-host', requested)
  return refusePage({ method: 'POST', headers }, { ...site, isBehindProxy })?.status ?? null
}

it('behind our proxy the host is the one that the proxy was asked for', () => {
  const headers = new Headers({ host: 'web:3000', 'x-forwarded-host': 'board.example' })
  expect(refuseHost(headers, { ...site, isBehindProxy: true })).toBeNull()
  const inside = new Headers({ host: 'web.internal.example:3000' })
  expect(refuseHost(inside, { ...site, isBehindProxy: true })).toBeNull()
  expect(refuseHost(inside, site)?.status).toBe(421)
  expect(refuseHost(headers, site)?.status).toBe(421)
})

it.each([
  ['multipart/form-data; boundary=x', 'no form', 400],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    null,
  ],
  ['text/plain;charset=UTF-8', '[', 400],
  ['text/plain;charset=UTF-8', '[1]', null],
])('a body of %s that is %j is refused with %s', async (type, body, status) => {
  const headers = { 'content-type': type }
  const request = new Request('http://localhost/', { method: 'POST', headers, body })
  expect((await refuseBody(request))?.status ?? null).toBe(status)
})
