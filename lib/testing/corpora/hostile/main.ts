import { TRANSPORT_BODIES } from './archive-bodies.ts'
import { HOSTILE_BODIES } from './hostile-bodies.ts'
import { playHostile, playOnSite } from './play-hostile.ts'
import { type HostileTestServer, openRunningServer } from './test-server.ts'

/** Prints the result of every hostile body; exit code 1 if one was accepted, or was refused for another reason. */
export async function main(words: readonly string[], site?: string): Promise<void> {
  const all = [...HOSTILE_BODIES, ...TRANSPORT_BODIES].filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  const byStatus = new Map<number, number>()
  let [count, rows, faults] = [0, 0, 0]
  tell(['body', 'status', 'code', 'rows', 'where and why'])
  for await (const played of site ? playOnSite(all, siteAt(site)) : playHostile(all)) {
    const { name, status, code, path, message, fault } = played
    tell([
      name,
      String(status || '–'),
      code || '–',
      String(played.rows),
      plain(`${path}: ${message}`),
    ])
    if (fault !== null) tell(['', '', '', '', `WRONG: ${plain(fault)}`])
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    count++
    rows += played.rows
    if (fault !== null) faults++
  }
  const sums = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`)
  process.stdout.write(
    `\n${count} bodies: ${sums.join(', ')}; ${rows} rows written; ${faults} wrong\n`,
  )
  process.exitCode = faults > 0 || count === 0 ? 1 : 0
}

/** A server that is already running on the data folder, with a token. */
function siteAt(url: string): HostileTestServer {
  const { PROOFBOARD_TOKEN: token, PROOFBOARD_DATA_DIR: dir } = process.env
  if (token && dir) return openRunningServer(url, token, dir)
  throw new Error('set PROOFBOARD_TOKEN and PROOFBOARD_DATA_DIR to those of the server')
}

const WIDTHS = [46, 6, 17, 4]

function tell(cells: readonly string[]): void {
  const line = cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join('  ')
  process.stdout.write(`${line.trimEnd()}\n`)
}

/** Escapes quoted bodies, which must not control the terminal. */
function plain(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}]/gu, '·').replace(/^: $/, '–')
  return visible.length > 110 ? `${visible.slice(0, 109)}…` : visible
}
