import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { isServerReachable } from './reach-server.ts'

async function withServer(
  listener: RequestListener,
  look: (address: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await look(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

it('is reachable only if the server itself answers', async () => {
  let gone = ''
  await withServer(
    (_, response) => response.end('{}'),
    async (address) => {
      expect(await isServerReachable(address)).toBe(true)
      gone = address
    },
  )
  expect(await isServerReachable(gone)).toBe(false)
})

it('is not reachable behind a proxy that says so, nor where nothing answers in time', async () => {
  const busy: RequestListener = (_, response) => response.writeHead(502).end()
  await withServer(busy, async (address) => expect(await isServerReachable(address)).toBe(false))
  const silent = async (address: string) => expect(await isServerReachable(address, 50)).toBe(false)
  await withServer(() => undefined, silent)
})
