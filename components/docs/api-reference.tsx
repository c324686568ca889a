import { Fragment } from 'react'
import type { ShownOperation, ShownParameter } from '#lib/domain/api/index.ts'
import { visibleText } from '../ui/format.ts'
import { CommandLines, FactList } from '../ui/layout.tsx'
import { PlainTable } from '../ui/plain-table.tsx'

type OperationEntryProps = {
  operation: ShownOperation
  /** The shell command for the call. */
  line: string
  /** A real response, shortened; null = none. */
  example: string | null
}

/** One endpoint of the API: summary, parameters, example call and response. */
export function OperationEntry({ operation, line, example }: OperationEntryProps) {
  const { id, method, path, summary, description, parameters, types, response } = operation
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="border-line border-t py-4 [contain-intrinsic-size:auto_16rem] [content-visibility:auto]"
      id={id}
    >
      <h3 className="text-base" id={`${id}-title`}>
        <WithCode>{summary}</WithCode>
      </h3>
      <p className="untrusted mt-1">
        <span className="mr-2 text-muted text-xs">{method}</span>
        <code>{path}</code>
        <span className="text-muted"> → {response ?? types.join(', ')}</span>
      </p>
      {description ? (
        <p className="mt-1 max-w-3xl text-muted">
          <WithCode>{description}</WithCode>
        </p>
      ) : null}
      {parameters.length > 0 ? (
        <div className="mt-2 max-w-3xl">
          <FactList facts={parameters.map(toFact)} />
        </div>
      ) : null}
      <div className="mt-2">
        <CommandLines label="Copy" lines={[line]} />
      </div>
      {example === null ? null : <Example text={example} />}
    </section>
  )
}

function toFact({ name, place, required, what, values }: ShownParameter) {
  const isPart = place === 'path'
  const kind = isPart ? 'path parameter' : required ? 'required' : values
  const text = [what.replace(/\.$/, ''), kind].filter(Boolean).join(' · ')
  return { name, value: <WithCode>{text}</WithCode> }
}

/** Text with code between backticks. */
function WithCode({ children }: { children: string }) {
  let at = 0
  return children.split(/(`[^`]*`)/).map((part) => {
    const key = `${at}`
    at += part.length
    return part.startsWith('`') ? (
      <code key={key}>{part.slice(1, -1)}</code>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    )
  })
}

function Example({ text }: { text: string }) {
  return (
    <details className="mt-2">
      <summary className="link w-fit cursor-pointer">Response</summary>
      <pre className="untrusted mt-2 whitespace-pre-wrap rounded border border-line bg-sunken p-3 text-xs">
        {visibleText(text)}
      </pre>
    </details>
  )
}

/** All error codes with their HTTP status. */
export function ProblemTable({
  problems,
}: {
  problems: readonly { code: string; status: number }[]
}) {
  return (
    <PlainTable
      caption="Error codes"
      head={['Status', 'Code']}
      rows={problems.map(({ code, status }) => ({
        key: code,
        cells: { Status: status, Code: <code>{code}</code> },
      }))}
    />
  )
}
