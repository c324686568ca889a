import type { UploadEffect } from '#lib/domain/api/index.ts'
import {
  type BoardEffect,
  describeRowEffect,
  type RowEffect,
  type RowSide,
} from '#lib/domain/board/index.ts'
import type { RuleRefusal } from '#lib/domain/eligibility/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatRate, visibleText } from '../ui/format.ts'
import { PlainTable } from '../ui/plain-table.tsx'

type EffectProps = {
  effect: UploadEffect
  isCommitted: boolean
  /** Titles of suites by id. */
  titles: ReadonlyMap<string, string>
}

/** The effect of a commit on each entry of the boards that it changes. */
export function UploadEffects({ effect: { boards, left }, isCommitted, titles }: EffectProps) {
  return (
    <>
      {boards.map((board) => (
        <BoardChanges
          board={board}
          isCommitted={isCommitted}
          key={board.suiteDigest}
          title={titles.get(board.suiteId) ?? board.suiteId}
        />
      ))}
      {left.map((sentence) => (
        <p className="mt-2 text-muted" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  )
}

const HEAD = ['Entry', 'What happens', 'Success (%)', 'Episodes', 'Rank'] as const

type BoardChangesProps = { board: BoardEffect; isCommitted: boolean; title: string }

function BoardChanges({ board, isCommitted, title }: BoardChangesProps) {
  const { suiteId, rows, more, unchanged } = board
  const cells = rows.map((row) => ({
    key: row.rowId,
    cells: {
      Entry: (
        <EntryName isLinked={row.before !== null || isCommitted} row={row} suiteId={suiteId} />
      ),
      'What happens': <Changes row={row} />,
      'Success (%)': <Sides row={row} text={successText} />,
      Episodes: <Sides row={row} text={({ episodes }) => String(episodes)} />,
      Rank: <Sides row={row} text={({ rank }) => rank ?? 'not ranked'} />,
    },
  }))
  return (
    <div className="mb-4">
      <h3 className="mb-2 font-medium">
        <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
          {visibleText(title)}
        </a>{' '}
        <span className="font-normal text-muted">
          {countOf(rows.length + more, 'changed entry')},{' '}
          {unchanged === 0 ? 'no other' : `${unchanged} unchanged`}
        </span>
      </h3>
      {rows.length > 0 ? (
        <PlainTable
          caption={`Entries of ${title} that change`}
          head={HEAD}
          rows={cells}
          wide={['Entry', 'What happens']}
        />
      ) : null}
      {more > 0 ? <p className="mt-2 text-muted">{more} more are not listed.</p> : null}
    </div>
  )
}

type EntryNameProps = { row: RowEffect; suiteId: string; isLinked: boolean }

function EntryName({ row: { rowId, name }, suiteId, isLinked }: EntryNameProps) {
  if (!isLinked) return visibleText(name)
  return (
    <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}&open=${rowId}`}>
      {visibleText(name)}
    </a>
  )
}

function Changes({ row }: { row: RowEffect }) {
  return (
    <>
      <span className="font-medium">{describeRowEffect(row).join(', ')}</span>
      <Reasons refusals={row.lost} word={row.before === null ? 'Not ranked' : 'No longer met'} />
      <Reasons refusals={row.gained} word="Met from now on" />
    </>
  )
}

function Reasons({ refusals, word }: { refusals: readonly RuleRefusal[]; word: string }) {
  if (refusals.length === 0) return null
  return (
    <ul className="mt-1 space-y-0.5 text-muted">
      {refusals.map(({ code, reason }) => (
        <li className="untrusted" key={`${code} ${reason}`}>
          {word}:{' '}
          <a className="link font-mono text-xs" href={`/methodology/evidence#gate-${code}`}>
            {code}
          </a>{' '}
          {visibleText(reason)}
        </li>
      ))}
    </ul>
  )
}

/** `52 ± 9 → 55 ± 8`; one value if nothing changes. */
function Sides({ row, text }: { row: RowEffect; text: (side: RowSide) => string }) {
  const [before, after] = [row.before && text(row.before), row.after && text(row.after)]
  if (before === null || after === null || before === after) return after ?? before
  return (
    <span className="whitespace-nowrap">
      <span className="text-muted">{before} →</span> {after}
    </span>
  )
}

function successText({ rate, low, high }: RowSide): string {
  const shown = formatRate(rate, low, high)
  return `${shown.rate} ${shown.spread}`.trim()
}
