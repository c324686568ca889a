import { canonicalJson, type Digest } from '../digest/index.ts'
import { plainName, plainSubject } from '../eligibility/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { boardPolicy, buildEligibility } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { rowExtender } from './extend-row.ts'
import { type PoolMemory, rankBoard } from './rank-board.ts'

/**
 * Builds one suite's leaderboard from its episodes: counted attempts, rates with intervals, eligibility, ranks.
 * Deterministic: the order of the input does not change the canonical JSON. Ranked rows first, then by rate.
 */
export function buildBoard(input: BuildBoardInput): Board {
  const decisions = buildEligibility(input, buildRowGroups(input))
  const rows = decisions.map(({ group, eligibility }) => ({
    row: buildRow(group, eligibility, input.evaluations),
    sender: group.account ?? group.sender,
  }))
  return assembleBoard(input, rows)
}

/** `sender`: the account or, if unknown, the sender. */
type SentRow = { row: BoardRow; sender: string | null }

/** Assembles a board from decided rows, in any order. */
export function assembleBoard(
  input: Pick<BuildBoardInput, 'suite' | 'policy'>,
  rows: readonly SentRow[],
  memory?: PoolMemory,
): Board {
  const { version, thresholds } = boardPolicy(input)
  return {
    schemaVersion: 1,
    suite: describeSuite(input.suite),
    policyVersion: version,
    thresholds,
    ...rankBoard(countSiblings(rows), memory),
  }
}

/**
 * Counts on each row the other rows of the same name and model, with the same fault or none, which reveals a sender who
 * splits results into several rows and shows the best one.
 */
function countSiblings(rows: readonly SentRow[]): BoardRow[] {
  const subjects = new Map<string, SentRow[]>()
  for (const sent of rows) {
    const key = siblingKey(sent.row)
    const known = subjects.get(key)
    if (known) known.push(sent)
    else subjects.set(key, [sent])
  }
  return rows.map(({ row, sender }) => {
    const all = subjects.get(siblingKey(row)) ?? []
    const own = all.filter((other) => other.sender === sender)
    const split = own.filter((other) => isSplit(row, other.row)).length - 1
    const unfinished = own.filter((other) => isUnfinished(row, other.row)).length
    const siblings = {
      own: own.length - 1,
      others: all.length - own.length,
      ...(split > 0 && { split }),
      ...(unfinished > 0 && { unfinished }),
    }
    return withSiblings(row, { siblings })
  })
}

const withSiblings = rowExtender<Pick<BoardRow, 'siblings'>>(
  ({ siblings: one }, { siblings: other }) =>
    one?.own === other?.own &&
    one?.others === other?.others &&
    one?.split === other?.split &&
    one?.unfinished === other?.unfinished,
)

/** Cached: rows never change, and a board uses the keys of all of them each time it is built. */
const siblingKeys = new WeakMap<BoardRow, string>()

function siblingKey(row: BoardRow): string {
  const { subject, settings, recovery } = row
  const found =
    siblingKeys.get(row) ??
    JSON.stringify([plainName(subject), subject.targeting, settings.fault, recovery !== null])
  siblingKeys.set(row, found)
  return found
}

/** True for rows of one subject that differ only in settings, token, or spelling of a name. */
function isSplit(one: BoardRow, other: BoardRow): boolean {
  return canonicalJson(plainSubject(one.subject)) === canonicalJson(plainSubject(other.subject))
}

/** Returns true if the other row lacks planned episodes of runs that are not the row's own. */
function isUnfinished(row: BoardRow, other: BoardRow): boolean {
  if (other === row || !other.refusals.some(({ code }) => code === 'complete')) return false
  return !other.runIds.some((runId) => row.runIds.includes(runId))
}

/** Cached: a suite never changes, and a board contains it each time it is built. */
const suites = new WeakMap<BuildBoardInput['suite'], Board['suite']>()

function describeSuite(suite: BuildBoardInput['suite']): Board['suite'] {
  const found = suites.get(suite) ?? listShown(suite)
  suites.set(suite, found)
  return found
}

function listShown({ suiteId, title, description, digest, tasks }: BuildBoardInput['suite']) {
  const shown = tasks.map((task) => {
    const { taskId, title: taskTitle, category, difficulty, released } = task
    return { taskId, title: taskTitle, category, difficulty, ...(released && { released }) }
  })
  shown.sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  return { suiteId, title, description, digest: digest as Digest, tasks: shown }
}
