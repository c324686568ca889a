import type { Board, BoardRow } from '../../../domain/board/index.ts'
import type { BoardAttack, PlayedAttack } from './attack.ts'
import { AttackedBoard } from './attacked-board.ts'
import { ARM_ATTACKS } from './attacks/arms.ts'
import { ATTEMPT_ATTACKS } from './attacks/attempts.ts'
import { CORRECTION_ATTACKS } from './attacks/corrections.ts'
import { EVIDENCE_ATTACKS } from './attacks/evidence.ts'
import { IDENTITY_ATTACKS } from './attacks/identity.ts'
import { LEDGER_ATTACKS } from './attacks/ledger.ts'
import { HONEST_LIBRARY, LIBRARY_ATTACKS } from './attacks/libraries.ts'
import { localAttacks } from './attacks/local-runs.ts'
import { MODEL_RECORD_ATTACKS, scriptedModel } from './attacks/model-record.ts'
import { NEIGHBOUR_ATTACKS } from './attacks/neighbours.ts'
import { ownershipAttacks } from './attacks/ownership.ts'
import { REGISTRATION_ATTACKS } from './attacks/registration.ts'
import { SELECTION_ATTACKS } from './attacks/selection.ts'
import { UNSENT_ATTACKS } from './attacks/unsent.ts'
import { WITHHELD_ATTACKS } from './attacks/withheld.ts'
import { areOpen, describe, mustBeClaim, rowOf, sendVictims, type VictimRows } from './victims.ts'

const SETTLES_WITHIN_MS = 45 * 60_000
/** Attacks that a server cannot see over HTTP, and where they are tested instead. */
const ELSEWHERE = [
  'provoked 429s: runner/gateway/provider-failure.test.ts, "does not let an agent void its attempt by a burst of calls"',
]

/** Prints attack, result and reason; the last line is a JSON object. Exit code 1 if any result is wrong. */
export async function main(args: readonly string[]): Promise<void> {
  const words = args.flatMap((arg) => arg.split(','))
  const isAsked = ({ name }: BoardAttack) =>
    words.length === 0 || words.some((word) => name.includes(word))
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say('starting a server, and letting the runner make what attacks are built on …')
  const ground = await AttackedBoard.open()
  try {
    say('sending honest results, which have to become claims …')
    const held = await sendVictims(ground)
    const byStrangers = ownershipAttacks(held.victims).filter(isAsked)
    const others = [
      scriptedModel(ground),
      ...EVIDENCE_ATTACKS,
      ...SELECTION_ATTACKS,
      ...REGISTRATION_ATTACKS,
      ...ATTEMPT_ATTACKS,
      ...IDENTITY_ATTACKS,
      ...WITHHELD_ATTACKS,
      ...UNSENT_ATTACKS,
      ...NEIGHBOUR_ATTACKS,
      ...localAttacks(ground.real.bundle.lock?.harness.dirty !== false),
      ...MODEL_RECORD_ATTACKS,
      ...ARM_ATTACKS,
      HONEST_LIBRARY,
      ...LIBRARY_ATTACKS,
      ...CORRECTION_ATTACKS,
    ].filter(isAsked)
    const forgeries = LEDGER_ATTACKS.filter(isAsked)
    // Evaluations are served by sender in turn, so attacks that depend on them are sent and evaluated first.
    const first = [...byStrangers, ...others.filter(isEvaluated)]
    const rest = others.filter((attack) => !isEvaluated(attack))
    const all = [...first, ...rest]
    const played = await playAll(ground, first, say)
    const late = await held.finish()
    const settle = (attacks: readonly BoardAttack[]) =>
      ground.settledBoard(
        (now) =>
          areOpen(now.rows, late) ||
          attacks.some((attack) => isOpen(attack, played.get(attack) as PlayedAttack, now)),
        SETTLES_WITHIN_MS,
      )
    say('waiting until the server has evaluated what the ends depend on …')
    await settle(first)
    for (const [attack, one] of await playAll(ground, rest, say)) played.set(attack, one)
    const board = await settle(all)
    const page = await ground.boardPage()
    const results = all.map((attack) => ({
      attack,
      ...judgeAttack(attack, played.get(attack) as PlayedAttack, board, page),
    }))
    const afterwards = await playAll(ground, forgeries, say)
    for (const attack of forgeries)
      results.push({
        attack,
        ...judgeAttack(attack, afterwards.get(attack) as PlayedAttack, board, page),
      })
    say('exporting an archive, and restoring a backup …')
    const changed = [...findChanged(held, board.rows), ...(await findRestored(ground))]
    conclude(results, changed)
  } finally {
    await ground.close()
  }
}

async function playAll(
  ground: AttackedBoard,
  attacks: readonly BoardAttack[],
  say: (text: string) => void,
) {
  const played = new Map<BoardAttack, PlayedAttack>()
  for (const attack of attacks) {
    say(`${played.size + 1}/${attacks.length} ${attack.name}`)
    played.set(attack, await attack.play(ground))
  }
  return played
}

/** Honest rows that changed, or that are not ranked after their remaining results arrived. */
function findChanged({ victims, before }: VictimRows, rows: Parameters<typeof rowOf>[0]): string[] {
  const { unfinished, owed, honest, workflow } = victims
  const changed = [...before].flatMap(([runId, was]) => {
    if (runId === unfinished.runId) return []
    const is = describe(rowOf(rows, runId))
    return is === was ? [] : [`the row of ${runId} was ${was} and is ${is}`]
  })
  const broken = [honest, workflow, unfinished, owed].flatMap(({ runId }) => {
    try {
      mustBeClaim(rows, runId)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  return [...changed, ...broken]
}

/**
 * Rows that differ between the server and its archive or restored backup. Evaluations go on, so a row may change
 * meanwhile.
 */
async function findRestored(ground: AttackedBoard): Promise<string[]> {
  const before = await ground.board()
  const copies = await ground.restored()
  const after = await ground.board()
  const textOf = ({ rows }: Pick<Board, 'rows'>, rowId: string) =>
    JSON.stringify(rows.find((row) => row.rowId === rowId))
  return copies.flatMap((copy, at) =>
    copy.rows.flatMap((row) => {
      const texts = [textOf(before, row.rowId), textOf(after, row.rowId)]
      return texts[0] !== texts[1] || JSON.stringify(row) === texts[0]
        ? []
        : [`${['the archive', 'the restored backup'][at]} has ${row.rowId} otherwise`]
    }),
  )
}

type Result = JudgedAttack & { attack: BoardAttack }

function conclude(results: readonly Result[], changed: readonly string[]): void {
  const say = (text: string) => process.stdout.write(`${text}\n`)
  for (const { attack, result, reason, wrong } of results) {
    say(`${attack.name.padEnd(32)} ${result.padEnd(9)} ${plain(attack.tries)} → ${plain(reason)}`)
    if (wrong !== null) say(`${''.padEnd(32)} WRONG: ${wrong}`)
  }
  for (const line of ELSEWHERE) say(`not over HTTP: ${line}`)
  for (const line of changed) say(`CHANGED: ${line}`)
  const count = (result: JudgedAttack['result']) =>
    results.filter((one) => one.result === result).length
  const counts = {
    attacks: results.length,
    refused: count('refused'),
    labelled: count('labelled'),
    harmless: count('harmless'),
    misleadingClaims: count('claim'),
    foreignRowsChanged: changed.length,
    otherwiseThanExpected: results.filter(({ wrong }) => wrong !== null).length,
  }
  say(JSON.stringify(counts))
  const { misleadingClaims, foreignRowsChanged, otherwiseThanExpected } = counts
  if (misleadingClaims + foreignRowsChanged + otherwiseThanExpected > 0) process.exitCode = 1
}

/** Escapes quoted attacks, which must not control the terminal. */
function plain(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}]/gu, '·')
  return visible.length > 260 ? `${visible.slice(0, 259)}…` : visible
}

/** The result of an attack, with the server's reason; `wrong` = it did not end as required. */
export type JudgedAttack = {
  result: 'refused' | 'labelled' | 'harmless' | 'claim'
  reason: string
  wrong: string | null
}

/**
 * True if a pending evaluation could still change the result. If a row is refused for the expected reason, no
 * evaluation can make it ranked, so the test does not wait.
 */
export function isOpen({ expected }: BoardAttack, { runIds }: PlayedAttack, board: Board): boolean {
  if (expected.end === 'apart' || runIds.length === 0) return false
  const row = runIds.map((runId) => rowOf(board.rows, runId)).find((one) => one !== undefined)
  if (!row || !runIds.every((runId) => rowOf(board.rows, runId))) return true
  if ((row.evaluatedHere?.pending ?? 0) === 0) return false
  if (expected.end !== 'labelled' || isEvaluated({ expected })) return true
  return [...expected.codes].sort().join() !== codesOf(row).join()
}

/** True if only the server's own evaluation shows the result. */
export function isEvaluated({ expected }: Pick<BoardAttack, 'expected'>): boolean {
  if (expected.end === 'labelled') return expected.codes.some((code) => BY_EVALUATION.has(code))
  return expected.end === 'shown'
}

const BY_EVALUATION: ReadonlySet<string> = new Set(['evaluated-here', 'mode-evidence'])

/** The rules that refuse a row, without the one about pending evaluations. */
function codesOf({ refusals, evaluatedHere }: BoardRow): string[] {
  const waits = (evaluatedHere?.pending ?? 0) > 0
  return refusals.flatMap(({ code }) => (waits && code === 'evaluated-here' ? [] : code)).sort()
}

/** Compares an attack's effect with the expected one. `board` is the settled board, `page` its HTML. */
export function judgeAttack(
  { expected }: BoardAttack,
  { answer, runIds }: PlayedAttack,
  board: Board,
  page = '',
): JudgedAttack {
  const row = runIds.map((runId) => rowOf(board.rows, runId)).find((one) => one !== undefined)
  if (!row) return judgeWithoutRow(expected, answer, runIds)
  const codes = codesOf(row)
  if (expected.end === 'shown') {
    const shown = expected.find(row, board.rows, partOf(page, row.rowId))
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

/** Extracts a row of the board's page as text. */
function partOf(page: string, rowId: string): string {
  const [, own = ''] = page.split(`data-row="${rowId}"`)
  return (own.split('</tr>')[0] ?? '').replace(/<[^>]*>/g, '')
}

function judgeWithoutRow(
  expected: BoardAttack['expected'],
  answer: PlayedAttack['answer'],
  runIds: readonly string[],
): JudgedAttack {
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
