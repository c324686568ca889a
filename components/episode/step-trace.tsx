import { formatCount, UNKNOWN } from '#components/format/number.ts'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'

const MOST_SHOWN = 1000
const HEAD = ['At', 'Step', 'Action', 'Target', 'Took'] as const

const WIDTHS: Partial<Record<(typeof HEAD)[number], string>> = {
  At: 'w-20 text-right',
  Action: 'w-28',
  Took: 'w-24 text-right',
}

/** Every action of the library in its order; a step's name stands where the step begins. */
export function StepTrace({ trace }: { trace: readonly TracedAction[] | null }) {
  if (trace === null) return <p className="text-muted">No step trace was kept.</p>
  if (trace.length === 0) return <p className="text-muted">The library did nothing.</p>
  const shown = trace.slice(0, MOST_SHOWN)
  return (
    <>
      <ScrollBox
        aria-label="Steps of the library"
        className="max-h-[36rem] overflow-auto border-line border-b"
      >
        <table className="w-full min-w-[40rem]">
          <thead>
            <tr className="text-left text-muted text-xs">
              {HEAD.map((name) => (
                <th
                  className={`sticky top-0 h-9 border-line-strong border-b bg-bg pr-4 font-normal ${WIDTHS[name] ?? ''}`}
                  key={name}
                  scope="col"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((action, place) => (
              <TraceLine
                action={action}
                isNewStep={action.step !== (trace[place - 1]?.step ?? null) || place === 0}
                // biome-ignore lint/suspicious/noArrayIndexKey: a trace never changes.
                key={place}
              />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {trace.length > shown.length ? (
        <p className="mt-2 text-muted">
          and {formatCount(trace.length - shown.length)} more actions
        </p>
      ) : null}
    </>
  )
}

function TraceLine({ action, isNewStep }: { action: TracedAction; isNewStep: boolean }) {
  const { step, target, startMs, durationMs, error } = action
  return (
    <tr
      className={`align-baseline ${isNewStep ? 'border-line border-t' : ''} ${error ? 'bg-bad-soft' : ''}`}
    >
      <td className="whitespace-nowrap py-1 pr-4 text-right text-muted" title={`${startMs} ms`}>
        {formatDuration(startMs)}
      </td>
      <td className="untrusted py-1 pr-4">
        {isNewStep ? visibleText(step ?? UNKNOWN) : <span className="sr-only">the same</span>}
      </td>
      <td className="whitespace-nowrap py-1 pr-4">{visibleText(action.action)}</td>
      <td className="untrusted py-1 pr-4 font-mono text-xs">
        {target === null ? '' : visibleText(target)}
        {error ? (
          <span className="block whitespace-pre-wrap font-sans text-bad text-sm">
            {visibleText(error)}
          </span>
        ) : null}
      </td>
      <td className="whitespace-nowrap py-1 text-right" title={`${durationMs} ms`}>
        {formatDuration(durationMs)}
      </td>
    </tr>
  )
}
