import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const entrySchema = z.object({
  at: z.string(),
  event: z.enum(['attempt-started', 'attempt-sealed']),
  taskId: z.string(),
  repetition: z.number().int().positive(),
  attempt: z.number().int().positive(),
})
export type JournalEntry = z.infer<typeof entrySchema>

/** The run's append-only diary: which attempts were begun, so that one cut short by a kill is known afterwards. */
export class Journal {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  append(entry: JournalEntry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
  }

  /** All whole lines; a last line that a kill cut in two is passed over. */
  read(): JournalEntry[] {
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
