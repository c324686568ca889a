import { parseArgs } from 'node:util'
import { benchBoard } from './bench-board.ts'
import { benchEpisodes } from './bench-episodes.ts'
import { benchIsolation } from './isolation.ts'

const PARTS = ['board', 'isolation', 'episodes'] as const

/** `npm run bench [-- --only board,isolation,episodes --suite NAME --rounds N]`: figures and ratios, never a test. */
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
  if (chosen.includes('isolation')) await benchIsolation()
  if (chosen.includes('episodes')) await benchEpisodes(values.suite, Number(values.rounds))
}
