import type { ReactNode } from 'react'
import type { FrozenView } from '#lib/domain/api/index.ts'
import { LAUNCH_FIELDS, type LaunchFields, type SubjectChoice } from '#lib/domain/runs/index.ts'
import { countOf, type Problem, present } from '#lib/domain/text/index.ts'
import { Button } from '../ui/button.tsx'
import { ProblemText } from '../ui/form.tsx'
import { sendsOnce } from '../ui/form-action.ts'
import { visibleText } from '../ui/format.ts'
import { CommandLines, FactList, ShortDigest } from '../ui/layout.tsx'

type LaunchPanelProps = {
  fields: LaunchFields
  /** The estimate in a sentence; null = the form has errors. */
  sentence: string | null
  figures: ReactNode
  /** 0 = configure, 1 = review, 2 = launch: the button of this step is highlighted. */
  step: number
  frozen: FrozenView | null
  problems: readonly Problem[]
  isAdmin: boolean
  isFreezing: boolean
  isLaunching: boolean
  /** True = the form has changed, so its values were neither estimated nor reviewed. */
  isEdited: boolean
  freeze: (form: FormData) => void
  launch: (form: FormData) => void
}

/** The estimate, the reviewed plan, and the launch button. */
export function LaunchPanel({ sentence, problems, isAdmin, isEdited, ...rest }: LaunchPanelProps) {
  // One message may concern several fields.
  const first = problems.filter(
    ({ message }, place) => problems.findIndex((other) => other.message === message) === place,
  )
  return (
    <section
      aria-labelledby="launch-title"
      className="rounded border border-line bg-surface p-4"
      id="launch"
      // Receives the focus from the form, because the next controls are here.
      tabIndex={-1}
    >
      <h2 className="font-semibold text-base" id="launch-title">
        Launch
      </h2>
      <p className="mt-1 text-muted">{sentence ?? 'Fix the errors in the form first.'}</p>
      {first.length > 0 ? (
        <ul className="mt-3 space-y-1 text-bad" role="alert">
          {first.map(({ path, message }) => (
            <li className="untrusted" key={message}>
              {LAUNCH_FIELDS.some((field) => field === path) ? (
                <>
                  <a className="underline" href={`#field-${path}`}>
                    {FIELD_NAMES[path] ?? path}
                  </a>
                  {': '}
                </>
              ) : null}
              <ProblemText message={message} path={path} />
            </li>
          ))}
        </ul>
      ) : null}
      {rest.figures}
      {isAdmin ? null : <p className="mt-3 text-muted">Only administrators can launch runs.</p>}
      {/* Always rendered, because screen readers announce changes of a live region, but not a new one. */}
      <div aria-live="polite">
        {isEdited ? (
          <p className="mt-3 text-warn">
            The form has changed since this estimate. Estimate again to review and launch it.
          </p>
        ) : null}
      </div>
      {isAdmin && sentence !== null && !isEdited ? <Steps {...rest} /> : null}
    </section>
  )
}

/** Fields whose name in the URL differs from their label. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  cap: 'spend cap',
  agentVersion: 'agent version',
  instruction: 'custom instruction',
}

function Steps({
  fields,
  frozen,
  step,
  isFreezing,
  isLaunching,
  freeze,
  launch,
}: Omit<LaunchPanelProps, 'sentence' | 'problems' | 'isAdmin' | 'isEdited' | 'figures'>) {
  const isBusy = isFreezing || isLaunching
  return (
    <>
      <form action={freeze} className="mt-3" onSubmit={sendsOnce(isBusy)}>
        <HiddenFields fields={fields} />
        <Button aria-disabled={isBusy} tone={step === 1 ? 'primary' : 'plain'} type="submit">
          {isFreezing ? 'Working…' : 'Review plan'}
        </Button>
      </form>
      {/* Always rendered, because screen readers announce changes of a live region, but not a new one. */}
      <div aria-live="polite">{frozen ? <Frozen frozen={frozen} /> : null}</div>
      {frozen ? (
        <form action={launch} className="mt-3" onSubmit={sendsOnce(isBusy)}>
          <HiddenFields fields={fields} />
          <input defaultValue={frozen.planDigest} name="planDigest" type="hidden" />
          <input defaultValue={frozen.key} name="key" type="hidden" />
          <Button aria-disabled={isBusy} tone="primary" type="submit">
            {isLaunching ? 'Working…' : `Launch ${countOf(frozen.episodes, 'episode')}`}
          </Button>
        </form>
      ) : null}
    </>
  )
}

function Frozen({ frozen }: { frozen: FrozenView }) {
  const { planDigest, suiteDigest, adapterVersion, provider, first, episodes, tasks } = frozen
  const rest = episodes - first.length
  const facts = present([
    { name: 'Plan', value: <ShortDigest digest={planDigest} /> },
    { name: 'Suite version', value: <ShortDigest digest={suiteDigest} /> },
    { name: 'Entry', value: visibleText(frozen.subjectLabel) },
    adapterVersion !== null && { name: 'Definition', value: adapterVersion },
    provider !== null && { name: 'Provider', value: visibleText(provider) },
    frozen.isolation !== null && { name: 'Isolation', value: visibleText(frozen.isolation) },
    { name: 'Episodes', value: `${countOf(episodes, 'episode')} on ${countOf(tasks, 'task')}` },
    frozen.arms.length > 0 && { name: 'Arms', value: frozen.arms.map(visibleText).join(', ') },
  ])
  return (
    <div className="mt-3 space-y-3">
      <p className="font-medium">Plan ready. Nothing has started yet.</p>
      <FactList facts={facts} />
      <div>
        <p className="text-muted">Order of work: tasks take turns, so an early stop is balanced.</p>
        <ol className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
          {first.map((name, place) => (
            <li className="untrusted" key={name}>
              <span className="text-muted">{place + 1}.</span> {name}
            </li>
          ))}
          {rest > 0 ? <li className="text-muted">and {rest} more</li> : null}
        </ol>
      </div>
      {frozen.warnings.map((warning) => (
        <p className="untrusted text-warn" key={warning}>
          {visibleText(warning)}
        </p>
      ))}
      <p className="text-muted">
        Launching registers the plan in the public ledger. From then on, missing results count
        against the entry.
      </p>
      <CommandLines lines={frozen.command} />
    </div>
  )
}

/** Agents and libraries that are not available on this machine, each with the reason. */
export function MissingSubjects({ subjects }: { subjects: readonly SubjectChoice[] }) {
  const missing = subjects.filter((subject) => subject.missing !== null)
  if (missing.length === 0) return null
  return (
    <details className="mt-4">
      <summary className="text-muted">Not available on this machine: {missing.length}</summary>
      {/* A link to the content opens it. */}
      <dl className="mt-2 border-line border-b" id="not-installed">
        {missing.map(({ name, title, missing: reason }) => (
          <div
            className="grid gap-x-5 border-line border-t py-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]"
            key={name}
          >
            <dt>{visibleText(title)}</dt>
            <dd className="untrusted text-muted">{visibleText(reason ?? '')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Repeats the submitted form inside another one, so that the reviewed options are the ones that are used. */
export function HiddenFields({ fields }: { fields: LaunchFields }) {
  return LAUNCH_FIELDS.map((field) => (
    <input defaultValue={fields[field]} key={field} name={field} type="hidden" />
  ))
}
