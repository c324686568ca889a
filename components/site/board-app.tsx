import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { type Board, findChecked } from '#lib/domain/board/index.ts'
import { BoardCharts } from '../board/board-charts.tsx'
import { BoardExplorer } from '../board/board-explorer.tsx'
import { type ListedSuite, SuiteTabs } from '../board/board-page.tsx'
import { boardViewParsers, countFolded, filterRows } from '../board/board-view.ts'
import { EvidenceLegend } from '../board/evidence.tsx'
import { HomeHero } from '../board/home-hero.tsx'
import { HomePanels } from '../board/home-panels.tsx'
import { packRows } from '../board/pack-rows.ts'
import { RowDetails } from '../board/row-details.tsx'
import type { TableRow } from '../board/table-row.ts'
import { toRowDetail, toTableRows } from '../board/to-table-rows.ts'
import { WithoutServer } from '../ui/ask-server.tsx'
import { visibleText } from '../ui/format.ts'
import { Section, ShortDigest } from '../ui/layout.tsx'

/** The data of a board's page, which is also sent to the browser. */
export type BoardAppProps = {
  board: Board
  /** All boards of the site. */
  suites: readonly ListedSuite[]
  /** Other versions of this suite that have a board. */
  versions: readonly string[]
}

/** A board that searches, sorts and filters in the browser, with its state in the URL. */
export function BoardApp({ board, suites, versions }: BoardAppProps) {
  const [query] = useQueryStates(boardViewParsers)
  const { suiteId, title, digest } = board.suite
  const { rows, common, packed } = useMemo(() => {
    const { rows: texts, common } = toTableRows(board.rows)
    const rows = texts.map((row) => ({ ...row, path: `/rows/${row.id}` }))
    return { rows, common, packed: packRows(rows) }
  }, [board])
  const view = { ...query, suite: suiteId, version: null }
  const inView = filterRows(rows, view)
  const shown = new Set(inView.map(({ id }) => id))
  const details = rows.flatMap((row, index) => {
    const source = board.rows[index]
    if (!source || !view.open.includes(row.id)) return []
    return [
      [
        row.id,
        <RowDetails
          colour={row.colour}
          detail={toRowDetail(source, null)}
          key={row.id}
          row={source}
        />,
      ] as const,
    ]
  })
  return (
    <WithoutServer>
      <HomeHero board={board} checked={findChecked([board])} isReported={false} />
      <SuiteTabs current={suiteId} suites={suites} />
      <Versions digest={digest} suiteId={suiteId} versions={versions} />
      <HomePanels board={board} rows={inView} />
      {countFolded(rows, view) === rows.length ? <ControlLinks rows={rows} /> : null}
      <BoardExplorer
        against={null}
        charts={shown.size > 0 ? <BoardCharts board={board} shown={shown} view={view} /> : null}
        common={common}
        details={Object.fromEntries(details)}
        packedRows={packed}
        source={board.rows}
        suiteId={suiteId}
        title={visibleText(title)}
      />
      <Section id="legend" title="Evidence labels">
        <EvidenceLegend />
      </Section>
    </WithoutServer>
  )
}

/** Links to the controls of a board that has no other entries; controls are not listed by default. */
function ControlLinks({ rows }: { rows: readonly TableRow[] }) {
  return (
    <p className="mb-4 flex flex-wrap gap-x-4 gap-y-1">
      Only controls have run on this suite. They check the benchmark itself and are never ranked:
      {rows.map(({ id, path, subject }) => (
        <a className="link untrusted" href={path} key={id}>
          {visibleText(subject.name)}
        </a>
      ))}
    </p>
  )
}

function Versions({ suiteId, digest, versions }: VersionsProps) {
  if (versions.length === 0) return null
  return (
    <p className="mb-4 border-line-strong border-l-2 pl-3">
      Version <ShortDigest digest={digest} /> of the suite. Other versions:{' '}
      {versions.map((version) => (
        <a
          className="link mr-3"
          href={`/?${new URLSearchParams({ suite: suiteId, version })}`}
          key={version}
        >
          <ShortDigest digest={version} />
        </a>
      ))}
    </p>
  )
}

type VersionsProps = { suiteId: string; digest: string; versions: readonly string[] }
