import type { RunEvent } from '../run-event.ts'

/** A runner's event as a line of its log: `14:47:13 affine-cipher r2 sealed: solved`. */
export function sayRunEvent(event: RunEvent): string {
  return `${event.at.slice(11, 19)} ${words(event)}`
}

function words(event: RunEvent): string {
  switch (event.event) {
    case 'run-started':
      return `run started: ${event.planned} planned, ${event.alreadySealed} already finished`
    case 'attempt-started':
      return `${place(event)} started`
    case 'phase-started':
      return `${place(event)} ${event.phase}`
    case 'episode-sealed':
      return `${place(event)} sealed: ${event.status}`
    case 'spend-cap-reached':
      return `spend cap reached: ${event.reason}`
    case 'run-ended':
      return `run ended: ${event.sealed} sealed, ${event.void} void`
    case 'run-stopped':
      return `run stopped: ${event.reason}`
  }
}

type Slot = { taskId: string; repetition: number; attempt: number }

function place({ taskId, repetition, attempt }: Slot): string {
  return `${taskId} r${repetition}${attempt > 1 ? ` attempt ${attempt}` : ''}`
}
