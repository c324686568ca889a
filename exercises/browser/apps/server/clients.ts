import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { SeenRequest, Tenant, Tenants } from './tenants.ts'

/** A full machine answers late, and what is refused meanwhile would be the library's failure. */
const LONGEST_WAIT_MS = 60_000

/** What the harness says of a connection: the browser that opened it, somebody else, closed meanwhile, cannot be told. */
export type Client = number | 'other' | 'gone' | null

/** Who is at the other end of connections, as the harness finds out; asked once for each connection. */
export type Clients = {
  of: (socket: Socket) => Promise<Client>
  /** The harness's answer. */
  answer: (id: number, client: Client) => void
}

/** `announce` writes one line that the harness reads. */
export function createClients(announce: (line: object) => void): Clients {
  const known = new WeakMap<Socket, Promise<Client>>()
  const waiting = new Map<number, (client: Client) => void>()
  let last = 0
  const ask = (socket: Socket) =>
    new Promise<Client>((resolve) => {
      last += 1
      const id = last
      const settle = (client: Client) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(client)
      }
      // Without an answer nobody is let in.
      const timer = setTimeout(() => settle('gone'), LONGEST_WAIT_MS).unref()
      waiting.set(id, settle)
      const {
        remoteAddress: address = '',
        remotePort: port = 0,
        localPort: serverPort = 0,
      } = socket
      announce({ connection: { id, address, port, serverPort } })
    })
  return {
    of: (socket) => {
      const found = known.get(socket) ?? ask(socket)
      known.set(socket, found)
      return found
    },
    answer: (id, client) => waiting.get(id)?.(client),
  }
}

/** Notes a request and whether its sender may use the tenant: the browser of its episode alone, where one is named. */
export async function admit(
  tenant: Tenant,
  { method = 'GET', socket }: Pick<IncomingMessage, 'method' | 'socket'>,
  path: string,
  { clients, tenants }: { clients: Clients; tenants: Tenants },
): Promise<{ seen: SeenRequest; isAdmitted: boolean }> {
  if (tenant.browser === null) return { seen: tenant.see(method, path, null), isAdmitted: true }
  const client = await clients.of(socket)
  const isAdmitted = client === null || client === tenant.browser
  const seen = tenant.see(method, path, nameClient(client, tenant.browser))
  if (isAdmitted) return { seen, isAdmitted }
  seen.status = REFUSED.status
  if (typeof client === 'number')
    for (const own of tenants.ofBrowser(client))
      own.see(method, `//${tenant.name}.localhost${path}`, 'browser').status = REFUSED.status
  return { seen, isAdmitted }
}

export const REFUSED = {
  status: 403,
  type: 'text/plain; charset=utf-8',
  body: 'This app answers only the browser that was leased to its episode.\n',
}

function nameClient(client: Client, browser: number): SeenRequest['client'] {
  if (typeof client !== 'number') return client
  return client === browser ? 'browser' : 'another-browser'
}
