import type { Board, BoardRow } from '#lib/domain/board/board-row.ts'
import type { Attack, Played } from './attack.ts'
import { rowOf } from './victims.ts'

/** What became of an attack, with the reason as the server said it; `wrong` = it did not end as it has to. */
export type Judged = {
  result: 'refused' | 'labelled' | 'harmless' | 'claim'
  reason: string
  wrong: string | null
}

/**
 * True when an evaluation that still waits could change how the attack ends. A row that is refused for what it has to be
 * refused for cannot become a claim by it, so nobody waits for that.
 */
export function isOpen({ expected }: Attack, { runIds }: Played, board: Board): boolean {
  if (expected.end === 'apart' || runIds.length === 0) return false
  const row = runIds.map((runId) => rowOf(board.rows, runId)).find((one) => one !== undefined)
  if (!row || !runIds.every((runId) => rowOf(board.rows, runId))) return true
  if ((row.evaluatedHere?.pending ?? 0) === 0) return false
  if (expected.end !== 'labelled' || isEvaluated({ expected })) return true
  return [...expected.codes].sort().join() !== codesOf(row).join()
}

/** True when only the server's own evaluation shows how the attack ends. */
export function isEvaluated({ expected }: Pick<Attack, 'expected'>): boolean {
  if (expected.end === 'labelled') return expected.codes.some((code) => BY_EVALUATION.has(code))
  return expected.end === 'shown'
}

const BY_EVALUATION: ReadonlySet<string> = new Set(['evaluated-here', 'mode-evidence'])

/** The rules that refuse a row, without that of evaluations that wait. */
function codesOf({ refusals, evaluatedHere }: BoardRow): string[] {
  const waits = (evaluatedHere?.pending ?? 0) > 0
  return refusals.flatMap(({ code }) => (waits && code === 'evaluated-here' ? [] : code)).sort()
}

/** Holds what an attack left behind against how it has to end. `board` is the settled board. */
export function judgeAttack(
  { expected }: Attack,
  { answer, runIds }: Played,
  board: Board,
): Judged {
  const row = runIds.map((runId) => rowOf(board.rows, runId)).find((one) => one !== undefined)
  if (!row) return judgeWithoutRow(expected, answer, runIds)
  const codes = codesOf(row)
  if (expected.end === 'shown') {
    const shown = expected.find(row, board.rows)
    if (shown !== null) return { result: 'labelled', reason: shown, wrong: null }
  }
  if (row.label === 'primary')
    return {
      result: 'claim',
      reason: `${row.success.rate} of place ${row.rank?.place}`,
      wrong: 'it is a claim',
    }
  const first = row.refusals.find(({ code }) => code === codes[0])
  const reason = `${codes.join(', ')}: ${first?.reason}`
  const isAsExpected =
    expected.end === 'labelled' && [...expected.codes].sort().join() === codes.join()
  const wanted = expected.end === 'labelled' ? expected.codes.join(', ') : expected.end
  return { result: 'labelled', reason, wrong: isAsExpected ? null : `expected ${wanted}` }
}

function judgeWithoutRow(
  expected: Attack['expected'],
  answer: Played['answer'],
  runIds: readonly string[],
): Judged {
  const reason = answer ? `${answer.status} ${answer.text}` : 'it has no row'
  if (answer && answer.status >= 400) {
    const isAsExpected = expected.end === 'refused' && expected.words.test(answer.text)
    return { result: 'refused', reason, wrong: isAsExpected ? null : `expected ${expected.end}` }
  }
  if (expected.end === 'apart' && runIds.length > 0)
    return { result: 'labelled', reason: 'kept, and not on the board of the suite', wrong: null }
  if (expected.end === 'harmless') return { result: 'harmless', reason, wrong: null }
  return { result: 'harmless', reason, wrong: `expected ${expected.end}` }
}
