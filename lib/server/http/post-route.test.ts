import { expect, it } from 'vitest'
import { PEER_HEADER } from './peer-address.ts'
import { postRoute } from './post-route.ts'

const route = () =>
  postRoute({
    refused: 'nothing was stored',
    perNetwork: 2,
    response: async ({ request, count }) => {
      count('writes', request.headers.get('authorization') ?? '', 1)
      return new Response('stored')
    },
  })
const post = (address: string, authorization = address) =>
  new Request('http://localhost/', {
    method: 'POST',
    headers: { [PEER_HEADER]: address, authorization },
  })

it('an IPv6 network has one allowance, whatever the address in it', async () => {
  const { POST } = route()
  const send = async (last: number) => (await POST(post(`2001:db8:1:2::${last}`))).status
  expect([await send(1), await send(2), await send(3)]).toEqual([200, 200, 429])
  expect((await POST(post('2001:db8:1:3::1'))).status).toBe(200)
})

it('says what is left for the sender, and what a refusal left undone', async () => {
  const { POST, GET } = route()
  const first = await POST(post('192.0.2.1', 'a'))
  expect(first.headers.get('RateLimit')).toContain('"writes";r=0')
  const second = await POST(post('192.0.2.1', 'a'))
  expect(second.status).toBe(429)
  expect(second.headers.get('RateLimit-Policy')).toBe('"writes";q=1;w=60')
  expect(await second.text()).toContain('Rate limit exceeded: nothing was stored, send it again in')
  expect(GET(new Request('http://localhost/')).headers.get('Allow')).toBe('POST')
})
