import type { ReactNode } from 'react'
import type { Board } from '#lib/domain/board/index.ts'
import { CommandLines } from '../ui/layout.tsx'

/** Commands from an API key to an entry, as in the README. */
export function claimCommands(suiteId: string): string[] {
  const requested = `--suite ${suiteId} --subject claude --model claude-sonnet-5 --repetitions 3`
  return [
    'export ANTHROPIC_API_KEY=…',
    'npx proofboard agents install claude',
    `npx proofboard plan ${requested} --explain`,
    `npx proofboard run ${requested} --spend-cap 100`,
  ]
}

/** Command for a ranked result without a key: a scripted library calls no model. */
export function libraryCommand(suiteId: string): string {
  return `npx proofboard run --suite ${suiteId} --subject playwright --repetitions 20`
}

/** A command that works with any suite at once. */
export function controlCommand(suiteId: string): string {
  return `npx proofboard run --suite ${suiteId} --subject reference`
}

type NextStepsProps = {
  board: Board
  /** A suite that agents can run. */
  suiteId: string
  /** A suite for libraries; null = none is installed. */
  librarySuiteId: string | null
  /** Set if agents have no sandbox on this machine; `command` installs one, null = none is known. */
  missingSandbox: { command: string | null } | null
}

/** Next steps for a board without an agent's entry, or without a ranked one; otherwise nothing. */
export function NextSteps(props: NextStepsProps) {
  const { suiteId, librarySuiteId, missingSandbox } = props
  const { rows } = props.board
  const isEmpty = rows.length === 0
  const isRanked = rows.some(({ rank }) => rank !== null)
  const hasAgent = rows.some(({ subject }) => subject.kind === 'agent')
  if (isRanked && hasAgent) return null
  return (
    <section
      aria-labelledby="next-steps"
      className="my-6 rounded-lg border border-line bg-surface px-5 py-4"
    >
      <h2 className="font-semibold text-base" id="next-steps">
        {isEmpty
          ? 'No results yet'
          : isRanked
            ? 'Next: measure an agent'
            : 'No entry is ranked yet'}
      </h2>
      <p className="mt-1 mb-3 max-w-3xl text-muted">
        Measure an agent with your own API key. The plan estimates the detectable difference, cost
        and time, and runs nothing. The entry appears here as soon as the run starts.
      </p>
      {missingSandbox === null ? null : <MissingSandbox command={missingSandbox.command} />}
      <Folded what="Commands: measure an agent">
        <CommandLines lines={claimCommands(suiteId)} />
      </Folded>
      {isRanked || librarySuiteId === null ? null : (
        <Alternative command={libraryCommand(librarySuiteId)}>
          Without an API key, measure a browser library. It needs Chromium.
        </Alternative>
      )}
      {isEmpty ? (
        <Alternative command={controlCommand(props.board.suite.suiteId)}>
          To try this suite first, run a control. It needs no API key.
        </Alternative>
      ) : null}
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
        <a className="link" href={`/plan?suite=${encodeURIComponent(suiteId)}`}>
          Plan a run
        </a>
        <a className="link" href="/methodology">
          What an entry needs to be ranked
        </a>
      </p>
      {isEmpty ? (
        <Alternative command="npm run demo">
          To see a full board first, start one with made-up data. An administrator can also{' '}
          <a className="link" href="/admin/uploads">
            upload
          </a>{' '}
          the{' '}
          <a className="link" href="/examples/ts-bench.json">
            results that ts-bench published
          </a>
          : listed as reported, not ranked.
        </Alternative>
      ) : null}
    </section>
  )
}

/** Agents measured without a sandbox are never ranked, so this comes before the run. */
function MissingSandbox({ command }: { command: string | null }) {
  return (
    <div className="mb-4 border-line-strong border-l-2 pl-3">
      <p className="mb-2">
        Agents run without a sandbox on this machine, so their entries would not be ranked. First
        install one:
      </p>
      <CommandLines lines={[command ?? 'npx proofboard doctor']} />
    </div>
  )
}

/** Shell commands, folded; the page describes the same steps without a shell. */
function Folded({ what, children }: { what: string; children: ReactNode }) {
  return (
    <details>
      <summary className="mb-1 w-fit text-muted hover:text-ink">{what}</summary>
      {children}
    </details>
  )
}

function Alternative({ command, children }: { command: string; children: ReactNode }) {
  return (
    <div className="mt-4">
      <p className="mb-1 text-muted">{children}</p>
      <Folded what="Command">
        <CommandLines lines={[command]} />
      </Folded>
    </div>
  )
}
