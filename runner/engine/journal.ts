import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from '#lib/domain/record/index.ts'
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
    /** Null = this system cannot distinguish one boot from another. */
    boot: z.string().nullable(),
    /** The process that started the runner and has the other end of its stdin; null = none. */
    supervisor: z.string().nullable(),
    /** Whether programs of the subject run as the runner's own user with no sandbox, and so may signal it. */
    subjectCanSignal: z.boolean(),
  }),
  /** A board at this address is about to be told of the run. */
  z.object({ at: z.string(), event: z.literal('registering'), to: z.string() }),
  z.object({ at: z.string(), event: z.literal('stop-asked'), reason: z.string() }),
])
export type JournalEntry = z.infer<typeof attemptSchema>
export type AnyJournalEntry = z.infer<typeof entrySchema>

/** The run's append-only diary: which attempts were started, so that one cut short by a kill is known afterwards. */
export class Journal {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  append(entry: AnyJournalEntry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
  }

  /** Started and sealed attempts. */
  read(): JournalEntry[] {
    return this.readAll().filter(
      (entry): entry is JournalEntry =>
        entry.event === 'attempt-started' || entry.event === 'attempt-sealed',
    )
  }

  /** The run that the folder was begun for; null = no runner came so far, or one of an earlier version. */
  readRunId(): string | null {
    const started = this.readAll().find((entry) => entry.event === 'runner-started')
    return started?.runId ?? null
  }

  /** The board that the run was last registered at, or was about to be; null = at none. */
  readBoard(): string | null {
    return this.readAll().findLast((entry) => entry.event === 'registering')?.to ?? null
  }

  /** All whole lines; a last line that a kill cut in two is passed over. */
  readAll(): AnyJournalEntry[] {
    if (!existsSync(this.#path)) return []
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [entrySchema.parse(JSON.parse(line))]
        } catch {
          return []
        }
      })
  }
}

/** By this it is known afterwards why a runner that was killed is gone; call what it answers when the run has ended. */
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
