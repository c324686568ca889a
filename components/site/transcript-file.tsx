import { countOf } from '#lib/domain/text/index.ts'
import {
  cutStep,
  parseTranscript,
  type TranscriptFindings,
  type TranscriptStep,
} from '#lib/domain/transcript/index.ts'
import { Behaviours } from '../episode/behaviours.tsx'
import { TranscriptStepView } from '../episode/transcript-step.tsx'
import { visibleText } from '../ui/format.ts'
import type { ShownEpisode } from './episode-view.ts'

const MAX_STEPS = 300
/** Limit for each text of a step. */
const MAX_CHARS = 4000

type TranscriptFileProps = { shown: ShownEpisode; hrefOf: (path: string) => string }

/** The steps of a transcript in one list, with a link to the file. */
export function TranscriptFile({ shown, hrefOf }: TranscriptFileProps) {
  const found = shown.files.find(({ file }) => file.role === 'transcript')
  if (!found)
    return (
      <p className="text-muted">
        {shown.view.calls?.length === 0
          ? 'The agent made no model calls, so nothing was said.'
          : 'No transcript is stored: model calls did not go through the gateway.'}
      </p>
    )
  const { text, file, state } = found
  if (text === null)
    return <p className="text-muted">The evidence lists a transcript; the file is not here.</p>
  const read = parseTranscript(text)
  const href = hrefOf(file.path)
  if (!read)
    return (
      <p className="text-muted">
        The stored transcript cannot be read.{' '}
        <a className="link" href={href}>
          JSON Lines
        </a>
      </p>
    )
  const steps = read.steps.slice(0, MAX_STEPS)
  const isPart = state === 'cut' || read.steps.length > steps.length
  return (
    <div className="overflow-hidden rounded border border-line">
      <Behaviours behaviour={read.findings?.behaviour ?? []} renderSteps={linkSteps} />
      <Findings findings={read.findings?.findings ?? []} />
      {steps.map((step) => (
        <div id={`step-${step.index}`} key={step.index}>
          <TranscriptStepView step={cutStep(step, MAX_CHARS)} tool={toolOf(step, steps)} />
        </div>
      ))}
      <p className="border-line border-t bg-sunken px-3 py-2 text-muted text-xs">
        {read.head.simulated ? 'Simulated: no agent ever ran. ' : null}
        {isPart ? 'The first ' : null}
        {countOf(steps.length, 'step')}, {visibleText(read.head.model ?? 'unknown model')} by{' '}
        {visibleText(read.head.provider)}.{' '}
        <a className="link" href={href}>
          Whole transcript
        </a>
      </p>
    </div>
  )
}

/** The tool that returned a result. */
function toolOf({ toolResult }: TranscriptStep, steps: readonly TranscriptStep[]): string | null {
  const id = toolResult?.callId ?? null
  if (id === null) return null
  return steps.flatMap(({ toolCalls }) => toolCalls).find((call) => call.id === id)?.name ?? null
}

function linkSteps(steps: readonly number[]) {
  return steps.map((step) => (
    <a className="link mr-2 whitespace-nowrap" href={`#step-${step}`} key={step}>
      step {step}
    </a>
  ))
}

function Findings({ findings }: Pick<TranscriptFindings, 'findings'>) {
  if (findings.length === 0) return null
  return (
    <div className="border-line border-b bg-surface px-3 py-2">
      <p className="text-muted text-xs">
        Found by scanners, for people to review. They do not affect the score.
      </p>
      <ul className="mt-1 space-y-1">
        {findings.map(({ scanner, sentence, steps }) => (
          <li className="untrusted" key={scanner}>
            {visibleText(sentence)} {linkSteps(steps)}
          </li>
        ))}
      </ul>
    </div>
  )
}
