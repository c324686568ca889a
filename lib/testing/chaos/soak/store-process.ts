import { createInterface } from 'node:readline'
import { startStandIn } from '../../s3/stand-in.ts'

/**
 * The evidence store of the soak test, as a process on its own host: prints its settings as a line of JSON, then reads
 * the share of requests that fail, a number per line. Ends with its standard input.
 */
export async function main([host = '127.0.0.1']: readonly string[]): Promise<void> {
  const store = await startStandIn({ host })
  process.stdout.write(`${JSON.stringify(store.settings('soak', 'soak'))}\n`)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => store.fail({ share: Number(line) }))
  lines.once('close', () => process.exit(0))
}
