import { once } from 'node:events'
import { createServer, request as plainRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

type CountingProxy = {
  url: string
  /** Requests as received: `CONNECT host:port` and `GET http://…`. */
  asked: readonly string[]
  /** Credentials that callers sent. */
  logins: readonly (string | undefined)[]
  close: () => Promise<void>
}

/** A real HTTP proxy for invented host names: it connects every request to one port of this machine. */
export async function startCountingProxy(
  port: number,
  login: string | null = null,
): Promise<CountingProxy> {
  const args: string[] = []
  const logins: (string | undefined)[] = []
  const wanted = login === null ? null : `Basic ${Buffer.from(login).toString('base64')}`
  const refuses = (given: string | undefined) => {
    logins.push(given)
    return wanted !== null && given !== wanted
  }
  const server = createServer((incoming, result) => {
    args.push(`${incoming.method} ${incoming.url}`)
    if (refuses(incoming.headers['proxy-authorization'])) return result.writeHead(407).end()
    const { pathname } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const onward = plainRequest(
      { host: '127.0.0.1', port, path: pathname, method: incoming.method, headers },
      (got) => {
        result.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(result)
      },
    )
    onward.on('error', () => result.destroy())
    return incoming.pipe(onward)
  })
  server.on('connect', (incoming, client) => {
    args.push(`CONNECT ${incoming.url}`)
    client.on('error', () => {})
    if (refuses(incoming.headers['proxy-authorization']))
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const onward = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
    return client.on('close', () => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: args,
    logins,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
