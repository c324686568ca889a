import { createInterface } from 'node:readline'
import { type Client, type Clients, createClients } from './server/clients.ts'
import { startServer } from './server/start-server.ts'

/**
 * The server of the apps: `{ "secret": … }` on stdin, `{ "listening": port }` on stdout, then a line for every fault
 * point that is reached and for every connection, whose client stdin then names; ends when stdin closes. Runs in the project's folder.
 */
async function main(): Promise<void> {
  const announce = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
  const lines = createInterface({ input: process.stdin })
  lines.once('close', () => process.exit(0))
  const clients = createClients(announce)
  const [first] = await new Promise<[string]>((resolve) => {
    lines.once('line', (line) => resolve([line]))
  })
  const order: unknown = JSON.parse(first)
  if (typeof order !== 'object' || order === null || !('secret' in order)) {
    throw new Error('the first line holds no secret')
  }
  const { secret } = order
  if (typeof secret !== 'string' || secret.length < 32) throw new Error('the secret is too short')
  lines.on('line', (line) => hearClient(clients, line))
  announce({ listening: await startServer({ secret, root: process.cwd(), announce, clients }) })
}

/** `{ "connection": id, "client": … }`: who is at the other end of a connection that was announced. */
function hearClient(clients: Clients, line: string): void {
  const { connection, client } = JSON.parse(line) as { connection: number; client: Client }
  clients.answer(connection, client)
}

await main()
