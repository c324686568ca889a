import { canonicalJson } from '../canonical-json.ts'
import { type Board, boardSchema } from './board-row.ts'

/** A board's bytes: what is kept, what `/api/v1/leaderboard` serves, what a rebuild has to give. */
export function serializeBoard(board: Board): string {
  return canonicalJson(boardSchema.parse(board))
}
