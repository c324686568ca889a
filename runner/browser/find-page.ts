import { get } from 'node:http'
import type { BrowserConnection, Target } from './browser-connection.ts'
import { within } from './within.ts'

const LIST_MS = 1000

/** The page of this origin that was used last, or null when there is none. */
export async function findPage(
  { connection, port }: { connection: BrowserConnection; port: number },
  origin: string,
): Promise<Target | null> {
  const pages = (await connection.targets()).filter(
    ({ type, url }) => type === 'page' && isOf(url, origin),
  )
  if (pages.length < 2) return pages[0] ?? null
  // Only the list over HTTP is sorted, by when a page was last active.
  const order = await within(listIds(port), LIST_MS, 'the list of pages').catch((): string[] => [])
  const rank = ({ targetId }: Target) => {
    const at = order.indexOf(targetId)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  return pages.sort((left, right) => rank(left) - rank(right))[0] ?? null
}

function isOf(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin
}

async function listIds(port: number): Promise<string[]> {
  const text = await new Promise<string>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/json/list', agent: false }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        body += part
      })
      answer.on('end', () => resolve(body))
      answer.on('error', reject)
    }).on('error', reject)
  })
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
}
