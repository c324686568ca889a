import type { ArmCounts } from '#lib/domain/board/index.ts'
import { comparePath, formatActivation } from '#lib/domain/compare/index.ts'
import { type Arm, listArmParts } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import { ShortDigest } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'

type ArmListProps = {
  arms: readonly Arm[]
  /** Entries of the arms, as far as they exist. */
  rows: readonly { arm: string; rowId: string }[]
  counts: readonly ArmCounts[]
  suiteId: string
}

/** The arms of a plan with all of their content, and a link to the comparison of their entries. */
export function ArmList({ arms, rows, counts, suiteId }: ArmListProps) {
  return (
    <>
      {rows.length > 1 ? (
        <p className="mb-2">
          <a className="link" href={comparePath(rows.map(({ rowId }) => rowId))}>
            Compare the arms
          </a>
        </p>
      ) : null}
      {counts.length > 0 ? <ArmTable counts={counts} /> : null}
      <ul className="mt-4 border-line border-b">
        {arms.map((arm) => (
          <ArmItem
            arm={arm}
            key={arm.name}
            rowId={rows.find((row) => row.arm === arm.name)?.rowId ?? null}
            suiteId={suiteId}
          />
        ))}
      </ul>
    </>
  )
}

/** The progress of each arm, and whether the model was given its content. */
function ArmTable({ counts }: { counts: readonly ArmCounts[] }) {
  return (
    <DataTable
      caption="Results by arm"
      className="border-line border-b"
      columns={[
        {
          head: 'Arm',
          cell: ({ arm }) => visibleText(arm),
          rowHeader: 'font-medium',
          cellClass: 'untrusted py-1 pr-6',
        },
        {
          head: 'Attempts',
          cell: ({ attempts, planned }) => `${attempts} of ${planned} planned`,
          cellTitle: ({ attempts, voids }) => `${countOf(attempts, 'attempt')}, ${voids} excluded`,
          cellClass: 'pr-6',
        },
        {
          head: 'Solved',
          cell: ({ solved, scored }) => (scored === 0 ? UNKNOWN : `${solved} of ${scored}`),
          cellTitle: ({ scored }) => countOf(scored, 'scored episode'),
          cellClass: 'pr-6',
        },
        {
          head: 'Activation',
          title: 'Attempts in which its content reached the model, or its tools were called',
          cell: ({ activation }) => formatUsed(activation),
          cellTitle: ({ activation }) => formatActivation(activation) ?? NOTHING_SEEN,
        },
      ]}
      headClass="h-9 border-line-strong border-b pr-6 text-muted text-xs"
      keyOf={({ arm }) => arm}
      rows={counts}
    />
  )
}

const NOTHING_SEEN = 'No scored attempt has content that could be seen'

function formatUsed(activation: ArmCounts['activation']): string {
  if (!activation) return UNKNOWN
  const { episodes, used } = activation
  if (used.known === 0) return 'unknown'
  const unknown = episodes - used.known
  return `${used.yes} of ${used.known}${unknown > 0 ? `, unknown in ${unknown}` : ''}`
}

type ArmItemProps = { arm: Arm; rowId: string | null; suiteId: string }

function ArmItem({ arm, rowId, suiteId }: ArmItemProps) {
  const { name, digest, files, promptPrefix, mcpServers } = arm
  const parts = listArmParts(arm)
  const texts = [
    ...(promptPrefix === undefined ? [] : [{ title: 'Prompt prefix', text: promptPrefix }]),
    ...files.map(({ path, text }) => ({ title: path, text })),
    ...mcpServers.map((server) => ({
      title: `MCP server ${server.name}`,
      text: JSON.stringify(server, null, 2),
    })),
  ]
  return (
    <li className="untrusted border-line border-t py-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{visibleText(name)}</span>
        <ShortDigest digest={digest} />
        {rowId === null ? null : (
          <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}&open=${rowId}`}>
            entry
          </a>
        )}
      </p>
      <p className="text-muted">
        {parts.length === 0 ? 'Puts nothing in.' : parts.map(visibleText).join('; ')}
      </p>
      {texts.map(({ title, text }) => (
        <details key={title}>
          <summary className="cursor-pointer text-xs">{visibleText(title)}</summary>
          <pre className="max-h-80 overflow-auto whitespace-pre-wrap border border-line bg-sunken p-2 text-xs">
            {visibleText(text)}
          </pre>
        </details>
      ))}
    </li>
  )
}
