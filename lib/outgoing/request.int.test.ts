import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startCountingProxy } from '../testing/factories/counting-proxy.ts'
import { ask } from './request.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 1000 }
const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']

const board = createServer((request, response) =>
  request.url === '/large' ? response.end('x'.repeat(2000)) : response.end('from the board'),
)
let proxy: Awaited<ReturnType<typeof startCountingProxy>>

beforeEach(async () => {
  for (const name of VARIABLES) vi.stubEnv(name, '')
  board.listen(0, '127.0.0.1')
  await once(board, 'listening')
  proxy = await startCountingProxy((board.address() as AddressInfo).port)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await proxy.close()
  board.close()
  board.closeAllConnections()
})

describe('a request', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('goes through the proxy that %s names', async (name) => {
    vi.stubEnv(name, proxy.url)
    const { status, body } = await ask(new URL('http://board.invalid/a'), LIMITS)
    expect([status, body.toString('utf8')]).toEqual([200, 'from the board'])
    expect(proxy.asked).toEqual(['GET http://board.invalid/a'])
  })

  it('asks the proxy for a tunnel to an https host', async () => {
    vi.stubEnv('https_proxy', proxy.url)
    await expect(ask(new URL('https://board.invalid/a'), LIMITS)).rejects.toThrow()
    expect(proxy.asked).toEqual(['CONNECT board.invalid:443'])
  })

  it('names the proxy that refuses it', async () => {
    await proxy.close()
    vi.stubEnv('HTTPS_PROXY', proxy.url)
    await expect(ask(new URL('https://board.invalid/a'), LIMITS)).rejects.toThrow(
      `the proxy ${proxy.url} (HTTPS_PROXY) cannot be reached`,
    )
    proxy = await startCountingProxy(1)
  })

  it('reads no more than it is told to', async () => {
    const { port } = board.address() as AddressInfo
    const url = new URL(`http://127.0.0.1:${port}/large`)
    await expect(ask(url, LIMITS)).rejects.toThrow('the reply is too large')
  })
})
