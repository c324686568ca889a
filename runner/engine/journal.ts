import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { identifyBoot, identifyProcess } from '../sandbox/process/list-processes.ts'
import type { Clock } from './clock.ts'

const slotSchema = z.object({
  taskId: z.string(),
  repetition: z.number().int().positive(),
  attempt: z.number().int().positive(),
})
const attemptSchema = slotSchema.extend({
  at: z.string(),
  event: z.enum(['attempt-started', 'attempt-sealed']),
})
const entrySchema = z.union([
  attemptSchema,
  slotSchema.extend({ at: z.string(), event: z.literal('phase-started'), phase: z.string() }),
  z.object({
    at: z.string(),
    event: z.literal('runner-started'),
    /** Absent in journals of earlier versions. */
    runId: z.string().optional(),
    /** Null = this system cannot distinguish boots. */
    boot: z.string().nullable(),
    /** The process that started the runner and holds the other end of its stdin; null = none. */
    supervisor: z.string().nullable(),
    /** True if the subject's programs run as the runner's own user without a sandbox, so that they could signal it. */
    subjectCanSignal: z.boolean(),
  }),
  /** The run is about to be registered at the board of this address. */
  z.object({ at: z.string(), event: z.literal('registering'), to: z.string() }),
  z.object({ at: z.string(), event: z.literal('stop-asked'), reason: z.string() }),
])
export type JournalEntry = z.infer<typeof attemptSchema>
export type AnyJournalEntry = z.infer<typeof entrySchema>

/**
 * The append-only journal of a run. It records started attempts, so that an attempt that was interrupted by a kill is
 * found afterwards.
 */
export class Journal {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  append(entry: AnyJournalEntry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
  }

  /** Returns the started and sealed attempts. */
  read(): JournalEntry[] {
    return this.readAll().filter(
      (entry): entry is JournalEntry =>
        entry.event === 'attempt-started' || entry.event === 'attempt-sealed',
    )
  }

  /** Returns the run for which the folder was started; null = no runner got that far, or it was an earlier version. */
  readRunId(): string | null {
    const started = this.readAll().find((entry) => entry.event === 'runner-started')
    return started?.runId ?? null
  }

  /** Returns the board that the run was last registered at, or was about to be; null = none. */
  readBoard(): string | null {
    return this.readAll().findLast((entry) => entry.event === 'registering')?.to ?? null
  }

  /** Returns all complete lines; skips a last line that a kill truncated. */
  readAll(): AnyJournalEntry[] {
    if (!existsSync(this.#path)) return []
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .flatMap((line) => entrySchema.safeParse(parseJson(line)).data ?? [])
  }
}

/**
 * Records the runner's state, which later explains why a killed runner is gone; call the returned function when the run
 * has ended.
 */
export function noteRunner(
  journal: Journal,
  { runId, isSupervised = false }: { runId: string; isSupervised?: boolean },
  { clock, environment, signal }: { clock: Clock; environment: Environment; signal: AbortSignal },
): () => void {
  journal.append({
    at: clock.now(),
    event: 'runner-started',
    runId,
    boot: identifyBoot(),
    supervisor: isSupervised ? identifyProcess(process.ppid) : null,
    subjectCanSignal: environment.subjectUser === 'runner',
  })
  const noteStop = () => {
    try {
      journal.append({ at: clock.now(), event: 'stop-asked', reason: String(signal.reason) })
    } catch {
      // a full disk must not keep the run from ending
    }
  }
  if (signal.aborted) noteStop()
  else signal.addEventListener('abort', noteStop, { once: true })
  return () => signal.removeEventListener('abort', noteStop)
}
