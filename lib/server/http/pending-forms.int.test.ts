import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { prepareRequests } from './peer-address.ts'
import { noteAction, refuseUndecoded } from './pending-forms.ts'

/** Handles a request after it was read. */
let work: (request: IncomingMessage, response: ServerResponse) => void
let server: Server
let url = ''
let leaveRequests = () => {}

beforeAll(async () => {
  leaveRequests = prepareRequests()
  server = createServer((request, response) => work(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  server.close()
  leaveRequests()
})
beforeEach(() => {
  work = ({ headers }, response) => {
    if (!refuseUndecoded(headers)) response.writeHead(500).end()
  }
})

const sentHeaders = ({ headers }: IncomingMessage) =>
  new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
const post = (path: string, headers = {}) => fetch(`${url}${path}`, { method: 'POST', headers })

it('refuses a form that failed before its action began', async () => {
  const response = await post('/sign-in')
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(/^The form could not be read: .*\n$/)
})

it('leaves every other failure to the log', async () => {
  expect((await fetch(`${url}/sign-in`)).status).toBe(500)
  expect((await post('/api/v1/results')).status).toBe(500)
  work = (request, response) => {
    noteAction(sentHeaders(request))
    if (!refuseUndecoded(request.headers)) response.writeHead(500).end()
  }
  expect((await post('/sign-in')).status).toBe(500)
})

it('never answers the form that a client names', async () => {
  let name = ''
  let other: ServerResponse | undefined
  work = (request, response) => {
    name = String(request.headers['x-proofboard-request'])
    other = response
  }
  const waiting = post('/sign-in')
  await expect.poll(() => name).not.toBe('')
  work = ({ headers }, response) => {
    response.end(String(refuseUndecoded(headers)))
  }
  const named = await fetch(`${url}/sign-in`, { headers: { 'x-proofboard-request': name } })
  expect(await named.text()).toBe('false')
  other?.end('its own')
  expect(await (await waiting).text()).toBe('its own')
})
