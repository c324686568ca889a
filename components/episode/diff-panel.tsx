import { formatCount } from '../ui/format.ts'
import { CodeFrame, CodeLine, DiffRow, LineNumber, LinesLeftOut, lineStates } from './code-view.tsx'
import { type DiffFile, type SideRow, sideBySide, splitDiff } from './diff-files.ts'

const MAX_LINES = 3000

/** The subject's changes of the workspace, file by file. */
export function DiffView({ diff }: { diff: string }) {
  let left = MAX_LINES
  return splitDiff(diff).map((file, index) => {
    const shown = file.lines.slice(0, left)
    left -= shown.length
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a hostile diff may name a file twice.
      <CodeFrame key={index} label={`Diff of ${file.path}`} note={counts(file)} title={file.path}>
        <DiffLines file={{ ...file, lines: shown }} />
        <LinesLeftOut count={file.lines.length - shown.length} />
      </CodeFrame>
    )
  })
}

const counts = ({ added, removed }: DiffFile) => `+${formatCount(added)} −${formatCount(removed)}`

function DiffLines({ file: { path, lines } }: { file: DiffFile }) {
  // Both sides are highlighted as one text, which is accurate enough; a hunk can start anywhere.
  const texts = lines.map(({ text, before, after }) => ((before ?? after) === null ? '' : text))
  const states = lineStates(path, texts)
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
    <DiffRow key={index} line={line} state={states[index] ?? null} />
  ))
}

/** This solution next to another one, file by file; `diff` leads from this one to the other. */
export function SolutionsBeside({ diff }: { diff: string }) {
  return splitDiff(diff).map((file) => {
    const rows = sideBySide(file.lines)
    const shown = rows.slice(0, MAX_LINES)
    return (
      <CodeFrame
        key={file.path}
        label={`This attempt compared with the solved one, ${file.path}`}
        title={file.path}
      >
        <table className="w-full border-collapse">
          <thead className="sr-only">
            <tr>
              <th scope="col">This attempt</th>
              <th scope="col">Solved attempt</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <Beside key={index} row={row} />
            ))}
          </tbody>
        </table>
        <LinesLeftOut count={rows.length - shown.length} />
      </CodeFrame>
    )
  })
}

function Beside({ row }: { row: SideRow | null }) {
  if (row === null)
    return (
      <tr>
        <td className="bg-sunken text-muted" colSpan={2}>
          ⋯
        </td>
      </tr>
    )
  return (
    <tr className="align-top">
      <Side line={row.left} tone="bg-bad-soft" />
      <Side line={row.right} tone="bg-good-soft" />
    </tr>
  )
}

function Side({ line, tone }: { line: SideRow['left']; tone: string }) {
  if (line === null) return <td className="w-1/2 bg-sunken" />
  return (
    <td className={`w-1/2 border-line border-r ${line.changed ? tone : ''}`}>
      <span className="flex">
        <LineNumber number={line.number} />
        <CodeLine state={null} text={line.text} />
      </span>
    </td>
  )
}

/** The reason for a missing diff. */
export function NoDiff({ stored, isElsewhere }: { stored: boolean; isElsewhere: boolean }) {
  const absent = isElsewhere
    ? 'The diff is not in this data folder.'
    : 'No diff is stored for this episode.'
  return <p className="text-muted">{stored ? 'The workspace was not changed.' : absent}</p>
}
