import type { RunEvent } from '#lib/domain/run-event.ts'
import type { Reporter } from './reporter.ts'

type Tally = { planned: number; done: number; startedAt: number; counts: Map<string, number> }

/** A live line on a terminal, one plain line an episode elsewhere; on stderr, so that stdout stays for answers. */
export function consoleReporter(stream: NodeJS.WriteStream, now: () => number): Reporter {
  const live = stream.isTTY === true
  const tally: Tally = { planned: 0, done: 0, startedAt: now(), counts: new Map() }
  const on = (event: RunEvent) => {
    const line = describe(event, tally)
    if (line) stream.write(live ? `\r\x1b[K${line}\n` : `${line}\n`)
    if (live) stream.write(`\r\x1b[K${liveLine(event, tally, now())}`)
  }
  return { on, end: () => live && stream.write('\r\x1b[K') }
}

function describe(event: RunEvent, tally: Tally): string | null {
  if (event.event === 'run-started') {
    tally.planned = event.planned
    tally.done = event.alreadySealed
    const kept = event.alreadySealed > 0 ? `, ${event.alreadySealed} already finished` : ''
    return `${event.runId}: ${event.planned} episodes planned${kept}`
  }
  if (event.event === 'episode-sealed') {
    tally.done += 1
    tally.counts.set(event.status, (tally.counts.get(event.status) ?? 0) + 1)
    const attempt = event.attempt > 1 ? ` attempt ${event.attempt}` : ''
    return `${event.status.padEnd(15)} ${event.taskId} r${event.repetition}${attempt}`
  }
  if (event.event === 'spend-cap-reached') return event.reason
  return event.event === 'run-stopped'
    ? `stopped: ${event.reason}; finished episodes are kept`
    : null
}

function liveLine(event: RunEvent, tally: Tally, now: number): string {
  const counts = [...tally.counts].map(([status, count]) => `${count} ${status}`).join(' · ')
  const seconds = Math.round((now - tally.startedAt) / 1000)
  const place =
    event.event === 'phase-started' ? ` · ${event.taskId} r${event.repetition} ${event.phase}` : ''
  return `${tally.done}/${tally.planned}${counts ? ` · ${counts}` : ''} · ${seconds} s${place}`.slice(
    0,
    110,
  )
}
