import type { Assertion, ContractResult } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { ContractTally, ContractTree } from './contract-tree.tsx'
import { type ErrorGroup, groupErrors } from './error-groups.ts'

const MAX_NAMES = 500

/** The checks of an exercise: failed tests by error, then other checks, then passed ones. */
export function TestsPanel({ contract }: { contract: ContractResult }) {
  const groups = groupErrors(testsOf(contract).filter(({ verdict }) => verdict !== 'pass'))
  if (groups.length === 0) return <ContractTree contract={contract} />
  return (
    <>
      <ContractTally contract={contract} />
      <ol className="mb-6 space-y-3">
        {groups.map((group, index) => (
          <li
            className="rounded border border-line bg-surface"
            // biome-ignore lint/suspicious/noArrayIndexKey: groups never move, and two may have one title.
            key={index}
          >
            <Group group={group} isFirst={index === 0} />
          </li>
        ))}
      </ol>
      <h3 className="mb-1 font-medium">All checks</h3>
      <ContractTree contract={contract} folded hasTally={false} />
    </>
  )
}

/** The tests, or the error if the file did not load. */
function testsOf({ assertions }: ContractResult): Assertion[] {
  return assertions.flatMap(({ kind, children }) => (kind === 'tests' ? children : []))
}

function Group({ group, isFirst }: { group: ErrorGroup; isFirst: boolean }) {
  const { failed, title, first } = group
  const [one] = failed
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 px-3 pt-2">
        <strong className="untrusted min-w-0 flex-1 basis-60 font-medium text-bad">
          {visibleText(title) || 'failed without a message'}
        </strong>
        <span className="whitespace-nowrap text-muted">{countOf(failed.length, 'test')}</span>
      </div>
      <details className="px-3 pt-1" open={isFirst}>
        <summary className="w-fit cursor-pointer text-muted text-xs hover:text-ink">
          Message and stack{failed.length > 1 ? ' of the first test' : ''}
        </summary>
        <pre className="untrusted mt-1 max-h-72 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 text-xs">
          {visibleText(first)}
        </pre>
      </details>
      {failed.length === 1 && one ? (
        <p className="untrusted px-3 py-2 text-sm">{visibleText(one.label)}</p>
      ) : (
        <FailedTests failed={failed} first={first} />
      )}
    </>
  )
}

/** The tests of a group; messages that differ from the first one are shown. */
function FailedTests({ failed, first }: { failed: readonly Assertion[]; first: string }) {
  const shown = failed.slice(0, MAX_NAMES)
  return (
    <details className="px-3 py-2">
      <summary className="w-fit cursor-pointer hover:text-accent">
        {countOf(failed.length, 'test')}
      </summary>
      <ul className="mt-1 border-line border-t">
        {shown.map(({ label, observed }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tests may bear one name, and the list never reorders.
          <li className="untrusted border-line border-b py-1" key={index}>
            {visibleText(label)}
            {observed === first ? null : <OwnMessage text={observed} />}
          </li>
        ))}
      </ul>
      {failed.length > shown.length ? (
        <p className="mt-1 text-muted">and {countOf(failed.length - shown.length, 'more test')}</p>
      ) : null}
    </details>
  )
}

function OwnMessage({ text }: { text: string }) {
  return (
    <details className="pl-4 text-muted">
      <summary className="w-fit cursor-pointer text-xs hover:text-ink">Its message</summary>
      <pre className="mt-1 max-h-60 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 text-ink text-xs">
        {visibleText(text)}
      </pre>
    </details>
  )
}
