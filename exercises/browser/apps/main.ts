import { createInterface } from 'node:readline'
import { startServer } from './server/start-server.ts'

/**
 * The server of the apps: `{ "secret": … }` on stdin, `{ "listening": port }` on stdout, then a line for every fault
 * point that is reached; ends when stdin closes. Runs in the project's folder.
 */
async function main(): Promise<void> {
  const announce = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
  const lines = createInterface({ input: process.stdin })
  lines.once('close', () => process.exit(0))
  const [first] = await new Promise<[string]>((resolve) => {
    lines.once('line', (line) => resolve([line]))
  })
  const order: unknown = JSON.parse(first)
  if (typeof order !== 'object' || order === null || !('secret' in order)) {
    throw new Error('the first line holds no secret')
  }
  const { secret } = order
  if (typeof secret !== 'string' || secret.length < 32) throw new Error('the secret is too short')
  announce({ listening: await startServer({ secret, root: process.cwd(), announce }) })
}

await main()
