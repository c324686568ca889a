import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { RunEvent } from '#lib/domain/record/index.ts'
import { consoleReporter } from './run-report.ts'

const at = '2026-01-01T00:00:00.000Z'
const sealed = {
  event: 'episode-sealed' as const,
  at,
  taskId: 'lru-cache',
  repetition: 1,
  attempt: 1,
  episodeId: 'ep_1',
  path: 'episodes/lru-cache-1/envelope.json',
}

/** The output to a stream that is not a terminal. */
function linesOf(...events: RunEvent[]): string[] {
  const stream = Object.assign(new PassThrough(), { isTTY: false })
  const reporter = consoleReporter(stream, { now: () => 0 })
  for (const event of events) reporter.on(event)
  reporter.end()
  return String(stream.read() ?? '')
    .trimEnd()
    .split('\n')
}

it('names the arm of an attempt, and why it failed, in one line that cannot move the cursor', () => {
  expect(
    linesOf(
      { ...sealed, status: 'solved', arm: 'baseline' },
      { ...sealed, status: 'unsolved', arm: 'my-skill', attempt: 2, reason: 'nothing was changed' },
      { ...sealed, status: 'void', reason: 'died\u001b[2J of\nmany lines' },
    ),
  ).toEqual([
    'solved          lru-cache r1 baseline',
    'unsolved        lru-cache r1 my-skill attempt 2: nothing was changed',
    'void            lru-cache r1: died⟨U+001B⟩[2J of',
  ])
})
