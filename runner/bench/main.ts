import { parseArgs } from 'node:util'
import { benchBoard } from './bench-board.ts'
import { benchEpisodes } from './bench-episodes.ts'
import { benchGateway } from './bench-gateway.ts'
import { benchIsolation } from './bench-isolation.ts'

const PARTS = ['board', 'gateway', 'isolation', 'episodes'] as const

/** `npm run bench [-- --only board,gateway,isolation,episodes --suite NAME --rounds N]`: figures and ratios, never a test. */
export async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv.slice(2)],
    options: {
      suite: { type: 'string', default: 'typescript' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  })
  const chosen = values.only.split(',')
  if (chosen.includes('board')) benchBoard()
  if (chosen.includes('gateway')) await benchGateway()
  if (chosen.includes('isolation')) await benchIsolation()
  if (chosen.includes('episodes')) await benchEpisodes(values.suite, Number(values.rounds))
}
