import { parseArgs } from 'node:util'
import { benchBoard } from './bench-board.ts'
import { benchBrowser } from './bench-browser.ts'
import { benchEpisodes } from './bench-episodes.ts'
import { benchGateway } from './bench-gateway.ts'
import { benchGuards } from './bench-guards.ts'
import { benchIsolation } from './bench-isolation.ts'
import { benchLogs } from './bench-logs.ts'

const PARTS = ['board', 'gateway', 'isolation', 'guards', 'episodes', 'browser', 'logs'] as const

/**
 * `npm run bench [-- --only board,gateway,isolation,guards,episodes,browser,logs --suite NAME --rounds N --libraries a,b]`: figures
 * and ratios, never a test.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv.slice(2)],
    options: {
      suite: { type: 'string', default: 'typescript' },
      rounds: { type: 'string', default: '3' },
      libraries: { type: 'string', default: 'playwright,puppeteer,cdp' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  })
  const chosen = values.only.split(',')
  if (chosen.includes('board')) benchBoard()
  if (chosen.includes('gateway')) await benchGateway()
  if (chosen.includes('isolation')) await benchIsolation()
  if (chosen.includes('guards')) await benchGuards(values.suite)
  if (chosen.includes('episodes')) await benchEpisodes(values.suite, Number(values.rounds))
  if (chosen.includes('browser'))
    await benchBrowser({ libraries: values.libraries.split(','), repetitions: 1 })
  if (chosen.includes('logs')) await benchLogs()
}
