import { type ReactNode, useState } from 'react'
import { countOf, cutText, withoutColours } from '#lib/domain/text/index.ts'
import type {
  ScanFinding,
  TranscriptMark,
  TranscriptRole,
  TranscriptStep,
  TranscriptToolCall,
  WorkspaceChanges,
} from '#lib/domain/transcript/index.ts'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { Button } from '../ui/button.tsx'
import {
  formatCompact,
  formatCount,
  formatDollars,
  formatDuration,
  visibleText,
} from '../ui/format.ts'
import { Bot, Settings2, User, Wrench } from '../ui/icons.tsx'
import { FoldedText, readCallArguments, ToolArguments } from './step-text.tsx'

type FindingsProps = {
  findings: readonly ScanFinding[]
  /** Links to the steps of a finding. */
  linkSteps: (steps: readonly number[]) => ReactNode
}

/** Findings of scanners, with links to their steps. */
export function Findings({ findings, linkSteps }: FindingsProps) {
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

const ROLE_LABELS: Record<TranscriptRole, string> = {
  system: 'System',
  user: 'User',
  assistant: 'Model',
  tool: 'Tool',
}

const GLYPHS = { system: Settings2, user: User, assistant: Bot, tool: Wrench }

/** The icon of a role, next to its name. */
function RoleGlyph({ role, className }: { role: TranscriptRole; className: string }) {
  const Glyph = GLYPHS[role]
  return <Glyph aria-hidden className={className} />
}

const MARKS: Record<TranscriptMark, string> = {
  begun: 'Another conversation begins: a sub-agent, a side question, or a fresh start.',
  branch: 'Asked again from an earlier point of a conversation.',
  rewritten: 'The agent rewrote the conversation, for example to shorten it.',
  'asked-again': 'The same request was sent again.',
  'system-changed': 'The system text changed.',
}

type StepProps = {
  step: TranscriptStep
  /** The tool that returned this result; null = none, or called before the loaded steps. */
  tool: string | null
  /** Loads the complete texts; absent = the page has no server. */
  onComplete?: (index: number) => Promise<void>
}

/** One step with all of its parts; long ones are folded. */
export function TranscriptStepView({ step, tool, onComplete }: StepProps) {
  const { index, role, mark, trouble, text, reasoning, toolCalls, toolResult, changes } = step
  return (
    <article
      aria-label={`Step ${index}: ${ROLE_LABELS[role]}`}
      className="border-line border-b px-3 py-2 last:border-b-0"
    >
      <StepHead step={step} />
      {mark ? <p className="text-warn">{MARKS[mark]}</p> : null}
      {trouble ? <p className="untrusted text-bad">{visibleText(trouble)}</p> : null}
      {reasoning ? (
        <details className="mt-1">
          <summary className="cursor-pointer text-muted">Reasoning</summary>
          <FoldedText text={reasoning} />
        </details>
      ) : null}
      {text ? <FoldedText text={text} /> : null}
      {toolCalls.map((call, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls of a step never move, and may have no id.
        <Part key={place} title={<>calls {visibleText(call.name)}</>}>
          <ToolArguments text={call.arguments} />
        </Part>
      ))}
      {toolResult ? (
        <Part title={<>result{tool === null ? '' : ` of ${visibleText(tool)}`}</>}>
          <FoldedText text={toolResult.text} />
        </Part>
      ) : null}
      {changes ? (
        <WorkspaceChangeList changes={changes} when={`when call ${step.call} arrived`} />
      ) : null}
      {onComplete ? (
        <Rest onComplete={onComplete} step={step} />
      ) : step.cutChars > 0 ? (
        <p className="text-muted text-xs">
          {countOf(step.cutChars, 'more character is', 'more characters are')} not shown.
        </p>
      ) : null}
    </article>
  )
}

function StepHead({ step }: { step: TranscriptStep }) {
  const { index, role, atMs, call, thread, model, tokens, soFar } = step
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-muted text-xs">
      <a className="link" href={`#step-${index}`}>
        #{index}
      </a>
      <span className="inline-flex items-center gap-1 font-medium text-ink text-sm">
        <RoleGlyph className="size-3.5" role={role} />
        {ROLE_LABELS[role]}
      </span>
      {thread > 1 ? <span>conversation {thread}</span> : null}
      <span title={`${atMs} ms after the attempt began`}>+{formatDuration(atMs)}</span>
      <span>call {call}</span>
      {model ? <span className="untrusted">{visibleText(model)}</span> : null}
      {tokens ? (
        <>
          <span title="Tokens of this call: in, of these cached, out">
            {formatCompact(tokens.input)} in ({formatCompact(tokens.cached)} cached),{' '}
            {formatCompact(tokens.output)} out
          </span>
          <span title="Cost of this call">{formatDollars(step.costMicroUsd)}</span>
          <span title="Tokens and cost of all calls so far">
            so far {formatCompact(sumOf(soFar.input, soFar.output))} tokens,{' '}
            {soFar.costMicroUsd === null ? 'cost ' : null}
            {formatDollars(soFar.costMicroUsd)}
          </span>
        </>
      ) : null}
    </header>
  )
}

function sumOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-1 border-line-strong border-l-2 pl-2">
      <p className="untrusted font-mono text-muted text-xs">{title}</p>
      {children}
    </div>
  )
}

/** A note on texts that were not loaded, or not stored, completely. */
function Rest({ step, onComplete }: Required<Omit<StepProps, 'tool'>>) {
  const [state, setState] = useState<'idle' | 'loading' | 'loaded' | 'failed'>('idle')
  if (step.cutChars === 0) return null
  if (state === 'loaded')
    return (
      <p className="text-muted text-xs">
        {countOf(step.cutChars, 'more character is', 'more characters are')} beyond the limit and
        not stored.
      </p>
    )
  const load = () => {
    setState('loading')
    onComplete(step.index)
      .then(() => setState('loaded'))
      .catch(() => setState('failed'))
  }
  return (
    <Button className="h-6 px-1" disabled={state === 'loading'} onClick={load} tone="quiet">
      {state === 'failed'
        ? 'Loading failed. Retry'
        : `Load ${countOf(step.cutChars, 'more character')}`}
    </Button>
  )
}

const KINDS = { added: '+', modified: '~', removed: '−' }

/** Changes in the workspace, with their times. */
export function WorkspaceChangeList({
  changes,
  when,
}: {
  changes: WorkspaceChanges
  when: string
}) {
  const { files, more } = changes
  if (files.length === 0) return null
  return (
    <div className="mt-1 text-xs">
      <p className="text-muted">Workspace changes, seen {when}:</p>
      <ul>
        {files.map(({ path, kind, addedLines, removedLines }) => (
          <li className="untrusted" key={path}>
            <span aria-hidden="true" className="inline-block w-4 text-muted">
              {KINDS[kind]}
            </span>
            {kind} <code>{visibleText(path)}</code>
            {addedLines === null || removedLines === null ? null : (
              <span className="text-muted">
                {' '}
                +{formatCount(addedLines)} −{countOf(removedLines, 'line')}
              </span>
            )}
          </li>
        ))}
        {more > 0 ? <li className="text-muted">and {countOf(more, 'more file')}</li> : null}
      </ul>
    </div>
  )
}

type OutlineRowProps = {
  index: number
  step: TranscriptStep | null
  selected: boolean
  isHit: boolean
  onSelect: (step: number) => void
}

/** A step as one line of the outline. */
export function OutlineRow({ index, step, selected, isHit, onSelect }: OutlineRowProps) {
  return (
    <a
      aria-current={selected ? 'true' : undefined}
      className="flex h-5 items-center gap-1.5 pr-3 text-ink hover:bg-sunken aria-[current=true]:bg-accent-soft"
      href={`#step-${index}`}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onSelect(index)
      }}
      tabIndex={-1}
    >
      <span className="w-10 shrink-0 text-right text-muted">{index}</span>
      {step === null ? (
        <span className="text-muted">…</span>
      ) : (
        <>
          <RoleGlyph className="size-3 shrink-0 text-muted" role={step.role} />
          <span className="w-14 shrink-0 text-muted">{ROLE_LABELS[step.role]}</span>
          {isHit ? <span className="text-accent">match</span> : null}
          <bdi className={`truncate ${isHit ? 'max-w-32' : 'max-w-44'}`}>{previewOf(step)}</bdi>
        </>
      )}
    </a>
  )
}

const PREVIEW_CHARS = 120

function previewOf(step: TranscriptStep): string {
  const { text, toolCalls, toolResult, trouble, reasoning } = step
  const words =
    text ??
    (toolCalls.map(callPreview).join(', ') || (toolResult?.text ?? trouble ?? reasoning ?? ''))
  return visibleText(cutText(withoutColours(words), PREVIEW_CHARS))
    .replace(/\s+/g, ' ')
    .trim()
}

function callPreview({ name, arguments: given }: TranscriptToolCall): string {
  const values = readCallArguments(given)?.map(([, value]) => value)
  return [name, ...(values ?? [given])].join(' ')
}
