import type { TracedAction } from '#lib/domain/record/browser.ts'
import type { Episode } from '#lib/domain/record/episode.ts'
import { formatCount, formatDuration, formatPercent, UNKNOWN, visibleText } from '../ui/format.ts'
import { ScrollBox } from '../ui/table.tsx'

const FILLS: Record<string, string> = {
  prepare: 'bg-line-strong',
  subject: 'bg-accent',
  restore: 'bg-line',
  verify: 'bg-good',
  evidence: 'bg-muted',
  'between phases': 'bg-sunken',
}

type PhaseTimelineProps = { wall: Episode['effort']['wall']; hasBrowser: boolean }

/** Time by phase as a bar and a table. */
export function PhaseTimeline({ wall, hasBrowser }: PhaseTimelineProps) {
  const segments = phaseSegments(wall, hasBrowser)
  return (
    <>
      <div
        aria-hidden="true"
        className="flex h-4 gap-px overflow-hidden rounded border border-line bg-surface"
      >
        {segments.map(({ name, share }) => (
          <div
            className={`${FILLS[name]} min-w-px`}
            key={name}
            style={{ flexGrow: share, flexBasis: 0 }}
            title={name}
          />
        ))}
      </div>
      <table className="mt-2 w-full max-w-xl">
        <caption className="sr-only">Time by phase</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Time</th>
            <th scope="col">Share, %</th>
          </tr>
        </thead>
        <tbody>
          {segments.map(({ name, what, ms, share }) => (
            <tr key={name} title={what}>
              <th className="py-0.5 text-left font-normal" scope="row">
                <span
                  aria-hidden="true"
                  className={`mr-2 inline-block size-2.5 rounded-xs border border-line ${FILLS[name]}`}
                />
                {name}
              </th>
              <td className="text-right" title={`${ms} ms`}>
                {formatDuration(ms)}
              </td>
              <td className="w-20 text-right text-muted">{formatPercent(share)} %</td>
            </tr>
          ))}
          <tr className="border-line border-t">
            <th className="py-0.5 text-left font-medium" scope="row">
              total
            </th>
            <td className="text-right font-medium">{formatDuration(wall.totalMs)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </>
  )
}

type Wall = Episode['effort']['wall']
type PhaseSegment = { name: string; what: string; ms: number; share: number }

const PHASES = [
  ['prepare', 'prepareMs', 'A clean workspace is created.', 'App and browser are started.'],
  ['subject', 'subjectMs', 'The agent runs.', 'The library connects and runs.'],
  ['restore', 'restoreMs', 'Protected files are restored.', 'Nothing to restore.'],
  [
    'verify',
    'verifyMs',
    'Types and tests run in a fresh environment.',
    'The final state is read and evaluated.',
  ],
  [
    'evidence',
    'evidenceMs',
    'Logs, diff and solution are stored.',
    'Screenshot, trace and state are stored; the browser is reset.',
  ],
] as const

/** Known phases in order with their share of the total; unaccounted time comes last. */
export function phaseSegments(wall: Wall, hasBrowser = false): PhaseSegment[] {
  const named = PHASES.flatMap(([name, key, what, withBrowser]) => {
    const ms = wall[key]
    return ms === null ? [] : [{ name, what: hasBrowser ? withBrowser : what, ms }]
  })
  const sum = named.reduce((total, { ms }) => total + ms, 0)
  const rest = (wall.totalMs ?? sum) - sum
  const all =
    rest > 0.5
      ? [...named, { name: 'between phases', what: 'Time outside the phases.', ms: rest }]
      : named
  const whole = Math.max(wall.totalMs ?? sum, sum)
  return all.map((segment) => ({ ...segment, share: whole > 0 ? segment.ms / whole : 0 }))
}

const MOST_SHOWN = 1000
const HEAD = ['Time', 'Step', 'Action', 'Target', 'Duration'] as const

const WIDTHS: Partial<Record<(typeof HEAD)[number], string>> = {
  Time: 'w-20 text-right',
  Action: 'w-28',
  Duration: 'w-24 text-right',
}

/** All actions of the library in order; a step's name is shown on its first action. */
export function StepTrace({ trace }: { trace: readonly TracedAction[] | null }) {
  if (trace === null) return <p className="text-muted">No step trace is stored.</p>
  if (trace.length === 0) return <p className="text-muted">The library performed no actions.</p>
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
        {isNewStep ? visibleText(step ?? UNKNOWN) : <span className="sr-only">same step</span>}
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
