import Link from 'next/link'
import { comparePath } from '#lib/domain/compare/index.ts'
import { type Arm, listArmParts } from '#lib/domain/record/index.ts'
import { visibleText } from '../ui/format.ts'
import { ShortDigest } from '../ui/layout.tsx'

type ArmListProps = {
  arms: readonly Arm[]
  /** The entry of each arm that has one. */
  rows: readonly { arm: string; rowId: string }[]
  suiteId: string
}

/** The arms of a plan with everything that each puts in, and where their entries are compared. */
export function ArmList({ arms, rows, suiteId }: ArmListProps) {
  return (
    <>
      {rows.length > 1 ? (
        <p className="mb-2">
          <Link
            className="link"
            href={comparePath(rows.map(({ rowId }) => rowId))}
            prefetch={false}
          >
            Compare the arms
          </Link>
        </p>
      ) : null}
      <ul className="border-line border-b">
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
          <Link
            className="link"
            href={`/?suite=${encodeURIComponent(suiteId)}&open=${rowId}`}
            prefetch={false}
          >
            entry
          </Link>
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
