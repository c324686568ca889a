'use client'

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TranscriptView } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { ChevronLeft, ChevronRight } from '../ui/icons.tsx'
import { LogSearch } from '../ui/log-view.tsx'
import { VirtualLines } from '../ui/virtual-lines.tsx'
import { Behaviours } from './behaviours.tsx'
import { stepOfHash } from './transcript-address.ts'
import {
  Findings,
  OutlineRow,
  TranscriptStepView,
  WorkspaceChangeList,
} from './transcript-step.tsx'
import {
  type TranscriptHits,
  type TranscriptReader,
  toolOf,
  useTranscript,
  useTranscriptSearch,
} from './use-transcript.ts'

/** Steps in the reading pane, from the selected one on. */
const SHOWN_STEPS = 8

type TranscriptPanelProps = { episodeId: string; first: TranscriptView }

/** The conversation of agent and model: an outline of all steps, and the selected ones in full. */
export function TranscriptPanel({ episodeId, first }: TranscriptPanelProps) {
  const frame = useRef<HTMLDivElement>(null)
  const reader = useTranscript(episodeId, first)
  const { selected, select, goTo, target } = useSelectedStep(reader.total, frame)
  const [find, setFind] = useState('')
  const found = useTranscriptSearch(episodeId, find)
  const hit = found.hits.indexOf(selected)
  const { see, stepAt } = reader

  useEffect(() => see(selected, selected + SHOWN_STEPS - 1), [see, selected])
  const renderLine = useCallback(
    (line: number) => (
      <OutlineRow
        index={line + 1}
        isHit={found.hits.includes(line + 1)}
        onSelect={select}
        selected={selected === line + 1}
        step={stepAt(line + 1)}
      />
    ),
    [found.hits, select, selected, stepAt],
  )
  const stepTo = (by: number) => {
    const { hits } = found
    const next = hits[nextHit(hits, selected, by)]
    if (next !== undefined) goTo(next)
  }
  const onSee = useCallback((from: number, to: number) => see(from + 1, to), [see])

  return (
    <div className="overflow-hidden rounded border border-line" ref={frame}>
      <div className="scripted flex flex-wrap items-center gap-2 border-line border-b bg-sunken p-2">
        <LogSearch
          find={find}
          found={describeHits(found, hit)}
          label="Search this transcript"
          onFind={setFind}
          onStep={stepTo}
        />
        <StepButtons onSelect={goTo} selected={selected} total={reader.total} />
      </div>
      <Behaviours
        behaviour={first.behaviour ?? []}
        renderSteps={(steps) =>
          steps.map((step) => <StepLink key={step} onSelect={goTo} step={step} />)
        }
      />
      <Findings
        findings={first.findings}
        linkSteps={(steps) =>
          steps.map((step) => <StepLink key={step} onSelect={goTo} step={step} />)
        }
      />
      <div className="grid md:grid-cols-[minmax(14rem,20rem)_minmax(0,1fr)]">
        <div className="min-w-0 border-line max-md:border-b md:border-r [&>section]:max-h-[36rem] max-md:[&>section]:max-h-44">
          <VirtualLines
            count={reader.total}
            label="Steps of the transcript"
            onSee={onSee}
            renderLine={renderLine}
            target={target}
          />
        </div>
        <ReadingPane onSelect={goTo} reader={reader} selected={selected} />
      </div>
      <Status first={first} reader={reader} />
    </div>
  )
}

/** The step selected in the URL; a link to another one selects it. `target` = step that the outline scrolls to. */
function useSelectedStep(total: number, frame: RefObject<HTMLElement | null>) {
  const [selected, setSelected] = useState(1)
  const [aim, setAim] = useState(1)
  useEffect(() => {
    const follow = () => {
      const step = stepOfHash(location.hash)
      if (step === null || step > total) return
      setSelected(step)
      setAim(step)
      frame.current?.scrollIntoView()
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [frame, total])
  // Selecting a visible step must not scroll the list under the pointer.
  const select = useCallback((step: number) => {
    setSelected(step)
    history.replaceState(history.state, '', `#step-${step}`)
  }, [])
  const goTo = useCallback(
    (step: number) => {
      select(step)
      setAim(step)
    },
    [select],
  )
  const target = useMemo(() => ({ index: aim - 1, align: 'center' as const }), [aim])
  return { selected, select, goTo, target }
}

/** The next match after the selected step, or the previous one; wraps around. */
function nextHit(hits: readonly number[], selected: number, by: number): number {
  if (by > 0)
    return Math.max(
      0,
      hits.findIndex((step) => step > selected),
    )
  const before = hits.findLastIndex((step) => step < selected)
  return before === -1 ? hits.length - 1 : before
}

function describeHits({ hits, state }: TranscriptHits, hit: number): string {
  if (state === 'searching') return 'searching…'
  if (state === 'failed') return 'the search failed'
  if (hits.length === 0) return 'no matches'
  return hit === -1
    ? countOf(hits.length, 'step')
    : `${formatCount(hit + 1)} of ${countOf(hits.length, 'step')}`
}

type StepButtonsProps = { selected: number; total: number; onSelect: (step: number) => void }

function StepButtons({ selected, total, onSelect }: StepButtonsProps) {
  return (
    <span className="ml-auto flex flex-wrap items-center gap-2">
      <label className="flex items-center gap-2 text-muted">
        Step
        <input
          className="h-8 w-20 rounded border border-line-strong bg-surface px-2 text-ink"
          inputMode="numeric"
          max={total}
          min={1}
          onChange={(event) => {
            const step = Math.floor(event.target.valueAsNumber)
            if (step >= 1 && step <= total) onSelect(step)
          }}
          type="number"
          value={selected}
        />
      </label>
      <span aria-live="polite" className="text-muted">
        <span className="sr-only">Step {formatCount(selected)} </span>of {formatCount(total)}
      </span>
      <Button
        aria-disabled={selected <= 1}
        aria-label="Previous step"
        className="w-8 px-0"
        onClick={() => selected > 1 && onSelect(selected - 1)}
      >
        <ChevronLeft aria-hidden size={14} />
      </Button>
      <Button
        aria-disabled={selected >= total}
        aria-label="Next step"
        className="w-8 px-0"
        onClick={() => selected < total && onSelect(selected + 1)}
      >
        <ChevronRight aria-hidden size={14} />
      </Button>
    </span>
  )
}

function StepLink({ step, onSelect }: { step: number; onSelect: (step: number) => void }) {
  return (
    <a
      className="link mr-2 whitespace-nowrap"
      href={`#step-${step}`}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onSelect(step)
      }}
    >
      step {step}
    </a>
  )
}

type ReadingPaneProps = {
  reader: TranscriptReader
  selected: number
  onSelect: (step: number) => void
}

function ReadingPane({ reader, selected, onSelect }: ReadingPaneProps) {
  const indexes = Array.from({ length: SHOWN_STEPS }, (_, place) => selected + place)
  const shown = indexes.filter((index) => index <= reader.total)
  return (
    <div className="min-w-0 bg-bg">
      {shown.map((index) => {
        const step = reader.stepAt(index)
        return step === null ? (
          <p className="border-line border-b px-3 py-2 text-muted" key={index}>
            Loading step {index}…
          </p>
        ) : (
          <TranscriptStepView
            key={index}
            onComplete={reader.complete}
            step={step}
            tool={toolOf(step, reader)}
          />
        )
      })}
      {selected + SHOWN_STEPS <= reader.total ? (
        <p className="scripted px-3 py-2">
          <Button onClick={() => onSelect(selected + SHOWN_STEPS)}>Continue reading</Button>
        </p>
      ) : null}
    </div>
  )
}

function Status({ first, reader }: { first: TranscriptView; reader: TranscriptReader }) {
  const { head, end } = first
  const facts = [
    head.simulated ? 'simulated: no agent ever ran' : null,
    countOf(reader.total, 'step'),
    end ? countOf(end.threads, 'conversation') : 'not complete: the runner was stopped',
    end && end.redactions > 0 ? countOf(end.redactions, 'secret removed', 'secrets removed') : null,
    end && end.cutChars > 0 ? `${countOf(end.cutChars, 'character')} cut` : null,
    end && end.droppedSteps > 0 ? `${countOf(end.droppedSteps, 'step')} beyond the limit` : null,
  ]
  return (
    <div className="border-line border-t bg-sunken px-3 py-2 text-muted text-xs">
      <p>
        {facts.filter(Boolean).join(' · ')}
        <noscript>
          . Here are the first of them: to read on, turn on JavaScript or download the transcript.
        </noscript>
        {reader.failed ? (
          <>
            {' · '}Some steps could not be loaded.{' '}
            <button className="link" onClick={reader.retry} type="button">
              Retry
            </button>
          </>
        ) : null}
      </p>
      {end?.changes && end.changes.files.length > 0 ? (
        <WorkspaceChangeList changes={end.changes} when="after the last call" />
      ) : null}
      <p>
        Times are counted from {head.startedAt.slice(0, 19).replace('T', ' ')} UTC, when the attempt
        began.
      </p>
    </div>
  )
}
