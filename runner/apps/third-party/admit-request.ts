import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { SeenRequest } from '../app-house.ts'
import type { Client, FindClient } from '../clients/find-client.ts'
import { noteRequest, type TenantRoute } from './tenant-route.ts'

export const REFUSED = {
  status: 403,
  text: 'This app answers only the browser that was leased to its episode.\n',
}

/** Notes a request and tells whether its sender may use the tenant. */
export type Admit = (
  tenant: { name: string; route: TenantRoute },
  incoming: IncomingMessage,
) => Promise<{ seen: SeenRequest; isAdmitted: boolean }>

/** Only the browser of a tenant's own episode is let in; every connection is looked at once, at its first request. */
export function createAdmit(
  routes: ReadonlyMap<string, TenantRoute>,
  findClient: FindClient,
): Admit {
  const known = new WeakMap<Socket, Promise<Client>>()
  const clientOf = (socket: Socket) => {
    const found = known.get(socket) ?? look(socket)
    known.set(socket, found)
    return found
  }
  const look = ({ remoteAddress = '', remotePort = 0, localPort = 0 }: Socket) => {
    const browsers = [...routes.values()].flatMap(({ browser }) => browser ?? [])
    const ends = { address: remoteAddress, port: remotePort, serverPort: localPort }
    return findClient(ends, new Set(browsers)).catch((): Client => 'gone')
  }
  /** A browser of another episode is noted where it belongs, too. */
  const noteSender = (client: Client, method: string, path: string) => {
    for (const own of routes.values())
      if (own.browser === client) noteRequest(own, method, path, 'browser').status = REFUSED.status
  }
  return async ({ name, route }, { method = 'GET', url = '/', socket }) => {
    const [path = '/'] = url.split('?')
    const { browser } = route
    if (browser === null) return { seen: noteRequest(route, method, path, null), isAdmitted: true }
    const client = await clientOf(socket)
    const isAdmitted = client === null || client === browser
    const seen = noteRequest(route, method, path, nameClient(client, browser))
    if (isAdmitted) return { seen, isAdmitted }
    seen.status = REFUSED.status
    if (typeof client === 'number') noteSender(client, method, `//${name}.localhost${path}`)
    return { seen, isAdmitted }
  }
}

function nameClient(client: Client, browser: number): SeenRequest['client'] {
  if (typeof client !== 'number') return client
  return client === browser ? 'browser' : 'another-browser'
}
