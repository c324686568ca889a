import type { TestCommandResult } from '#lib/domain/record/index.ts'
import { countOf, withoutColours } from '#lib/domain/text/index.ts'
import { formatDuration, visibleText } from '../ui/format.ts'

/** The result of the task's own test command, and what it printed. */
export function TestCommand({ result }: { result: TestCommandResult }) {
  const { command, output, droppedChars } = result
  return (
    <>
      <p className="untrusted">
        <code className="text-xs">{visibleText(command)}</code>{' '}
        <span className="whitespace-nowrap">{describeEnding(result)}</span>
      </p>
      <p className="mt-1 text-muted">
        The task’s own test command, run over the solution in a sandbox without network. It is a
        diagnostic: the verdict does not depend on it.
      </p>
      {output === '' ? null : (
        <details className="mt-2" open={result.exitCode !== 0}>
          <summary className="w-fit cursor-pointer text-muted text-xs hover:text-ink">
            Output
            {droppedChars > 0 ? `, without ${countOf(droppedChars, 'earlier character')}` : ''}
          </summary>
          <pre
            className="untrusted mt-1 max-h-80 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 text-xs"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            {visibleText(withoutColours(output))}
          </pre>
        </details>
      )}
    </>
  )
}

const LIMITS: Readonly<Record<string, string>> = {
  timeout: 'ended by its time limit',
  disk: 'ended by its disk limit',
  processes: 'ended by its process limit',
  memory: 'ended by its memory limit',
}

function describeEnding({ notRun, limit, exitCode, signal, durationMs }: TestCommandResult) {
  if (notRun !== null) return `was not run. ${visibleText(notRun)}`
  const after = `after ${formatDuration(durationMs)}`
  if (limit !== null) return `${LIMITS[limit] ?? 'ended by a limit'} ${after}`
  if (exitCode === null) return `ended by ${visibleText(signal ?? 'a signal')} ${after}`
  return `exited with ${exitCode} ${after}`
}
