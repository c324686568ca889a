import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import { enqueueJob } from '../../db/job-store.ts'
import { saveRun } from '../../db/run-store.ts'
import type { Plan } from '../../domain/record/index.ts'

const AT = '2026-11-21T14:47:13.000Z'
const slot = (taskId: string) => ({ at: AT, taskId, repetition: 1, attempt: 1 })

/** A run that the database considers running, whose logs a test writes. */
export class LiveRunFixture {
  readonly runId: string
  readonly folder: string
  readonly #db: Db

  private constructor(db: Db, runId: string, dataDir: string) {
    this.#db = db
    this.runId = runId
    this.folder = join(dataDir, 'runs', runId)
  }

  static async start(
    db: Db,
    plan: Plan,
    at: { runId: string; dataDir: string },
  ): Promise<LiveRunFixture> {
    const run = new LiveRunFixture(db, at.runId, at.dataDir)
    mkdirSync(run.folder, { recursive: true })
    const payload = { suiteId: plan.suiteId, subject: 'reference', repetitions: plan.repetitions }
    const jobId = await enqueueJob(db, payload, new Date())
    await saveRun(db, { runId: at.runId, plan, provenance: 'local', jobId }, new Date())
    await run.#set('running')
    return run
  }

  /** Writes bytes as the runner, or a subject, does. */
  say(bytes: string | Uint8Array): void {
    appendFileSync(join(this.folder, 'runner.log'), bytes)
  }

  saySubject(taskId: string, bytes: string | Uint8Array): void {
    const folder = join(this.folder, 'episodes', taskId, 'r1-a1')
    mkdirSync(folder, { recursive: true })
    appendFileSync(join(folder, 'subject.log'), bytes)
  }

  begin(taskId: string): void {
    const path = `episodes/${taskId}/r1-a1`
    this.say(`${JSON.stringify({ event: 'attempt-started', ...slot(taskId), path })}\n`)
  }

  seal(taskId: string): void {
    const sealed = {
      episodeId: `ep_${taskId}`,
      status: 'solved',
      failureCategory: null,
      totalMs: 5,
    }
    const path = `episodes/${taskId}/r1-a1/episode.json`
    this.say(`${JSON.stringify({ event: 'episode-sealed', ...slot(taskId), ...sealed, path })}\n`)
  }

  replace(bytes: string): void {
    writeFileSync(join(this.folder, 'runner.log'), bytes)
  }

  async end(): Promise<void> {
    await this.#set('done')
  }

  async #set(status: 'running' | 'done'): Promise<void> {
    const endedAt = status === 'done' ? new Date() : null
    await this.#db.job.updateMany({ where: { runId: this.runId }, data: { status, endedAt } })
  }
}

/** An event of a stream as a browser parses it. */
export type ReadEvent = { event: string; id: string; data: unknown }

/** Reads server-sent events as the standard says: fields by line, an event at each empty line, comments skipped. */
export async function* readEvents(response: Response): AsyncGenerator<ReadEvent> {
  let held = ''
  let id = ''
  const decoder = new TextDecoder()
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      held += decoder.decode(part.value, { stream: true })
      const frames = held.split('\n\n')
      held = frames.pop() ?? ''
      for (const frame of frames) {
        const fields = new Map(
          frame.split(/\r\n|\r|\n/).map((line) => {
            const at = line.indexOf(':')
            return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
          }),
        )
        id = fields.get('id') ?? id
        const data = fields.get('data')
        if (data !== undefined)
          yield { event: fields.get('event') ?? 'message', id, data: JSON.parse(data) }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
