import { canonicalJson, type Digest } from '../digest/index.ts'
import { plainName, plainSubject } from '../eligibility/index.ts'
import { groupBy } from '../record/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { boardPolicy, buildEligibility } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { type PoolMemory, rankBoard } from './rank-board.ts'
import type { RowGroup } from './row-group.ts'

/**
 * Builds one suite's leaderboard from its episodes: counted attempts, rates with intervals, eligibility, ranks.
 * Deterministic: the order of the input does not change the canonical JSON. Ranked rows first, then by rate.
 */
export function buildBoard(input: BuildBoardInput): Board {
  const decisions = buildEligibility(input, buildRowGroups(input))
  const rows = decisions.map(({ group, eligibility }) =>
    describeOwner(buildRow(group, eligibility, input.evaluations), group),
  )
  return assembleBoard(input, rows)
}

/** A row before it is counted and ranked among the others. */
export type OwnedRow = {
  row: BoardRow
  /** The account or, if unknown, the sender. */
  sender: string | null
  /** Equal for rows of the same name and model, with the same fault or none. */
  name: string
  /** Equal for rows of one subject that differ only in settings, token, or spelling of a name. */
  subject: string
}

export function describeOwner(
  row: BoardRow,
  { account, sender }: Pick<RowGroup, 'account' | 'sender'>,
): OwnedRow {
  const { subject, settings, recovery } = row
  return {
    row,
    sender: account ?? sender,
    name: JSON.stringify([
      plainName(subject),
      subject.targeting,
      settings.fault,
      recovery !== null,
    ]),
    subject: canonicalJson(plainSubject(subject)),
  }
}

/** Assembles a board from decided rows, in any order. */
export function assembleBoard(
  input: Pick<BuildBoardInput, 'suite' | 'policy'>,
  owned: readonly OwnedRow[],
  memory?: PoolMemory,
): Board {
  const { version, thresholds } = boardPolicy(input)
  const { rankings, rows } = rankBoard(
    owned.map(({ row }) => row),
    memory,
  )
  const siblings = countSiblings(owned)
  return {
    schemaVersion: 1,
    suite: describeSuite(input.suite),
    policyVersion: version,
    thresholds,
    rankings,
    rows: rows.map(({ row, rank }) => ({ ...row, siblings: siblings.get(row), rank })),
  }
}

/**
 * Counts for each row the other rows of the same name and model, with the same fault or none, which reveals a sender who
 * splits results into several rows and shows the best one.
 */
function countSiblings(rows: readonly OwnedRow[]): Map<BoardRow, BoardRow['siblings']> {
  const names = groupBy(rows, ({ name }) => name)
  return new Map(
    rows.map((one) => {
      const all = names.get(one.name) ?? []
      const own = all.filter(({ sender }) => sender === one.sender)
      const split = own.filter(({ subject }) => subject === one.subject).length - 1
      const unfinished = own.filter(({ row }) => isUnfinished(one.row, row)).length
      const siblings = {
        own: own.length - 1,
        others: all.length - own.length,
        ...(split > 0 && { split }),
        ...(unfinished > 0 && { unfinished }),
      }
      return [one.row, siblings]
    }),
  )
}

/** Returns true if the other row lacks planned episodes of runs that are not the row's own. */
function isUnfinished(row: BoardRow, other: BoardRow): boolean {
  if (other === row || !other.refusals.some(({ code }) => code === 'complete')) return false
  return !other.runIds.some((runId) => row.runIds.includes(runId))
}

function describeSuite({
  suiteId,
  title,
  description,
  digest,
  tasks,
}: BuildBoardInput['suite']): Board['suite'] {
  const shown = tasks.map((task) => {
    const { taskId, title: taskTitle, category, difficulty, released } = task
    return { taskId, title: taskTitle, category, difficulty, ...(released && { released }) }
  })
  shown.sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  return { suiteId, title, description, digest: digest as Digest, tasks: shown }
}
