import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FilmFrame, filmPath } from '#lib/domain/record/index.ts'
import { type HostLine, parseHostLine } from '../libraries/host-protocol.ts'

/** The frame of one step. */
export type FilmShot = { frame: FilmFrame; jpeg: Buffer }

/** What a filmstrip may use of an episode: frames, bytes, and time that the camera works in parallel with the library. */
const MOST = { frames: 24, bytes: 600_000, ms: 4000 }

const LOOK_MS = 25

/**
 * The filmstrip of one episode. It follows the trace that the library's process writes and takes a frame when a step
 * has ended; nothing waits for it, so a step that is over before the last frame is taken has none.
 */
export class Filmstrip {
  readonly frames: FilmShot[] = []
  readonly #shoot: () => Promise<Buffer | null>
  #isEnding = false
  #following: Promise<void> = Promise.resolve()
  #trace: TraceReader | null = null
  #usedMs = 0
  #usedBytes = 0

  constructor(shoot: () => Promise<Buffer | null>) {
    this.#shoot = shoot
  }

  /** Begins to follow a trace that may not be there yet. */
  follow(tracePath: string): void {
    this.#trace = new TraceReader(tracePath)
    this.#following = this.#go(this.#trace)
  }

  /** The library has ended: no new frame is taken. */
  stop(): void {
    this.#isEnding = true
  }

  /** Takes the frame of the last step, if missing, and stops reading the trace. */
  async close(): Promise<readonly FilmShot[]> {
    this.stop()
    await this.#following
    const trace = this.#trace
    this.#trace = null
    if (trace) {
      await this.#look(trace)
      await trace.close()
    }
    return this.frames
  }

  async #go(trace: TraceReader): Promise<void> {
    while (!this.#isEnding && !this.#isUsedUp()) {
      await this.#look(trace)
      await sleep(LOOK_MS)
    }
  }

  async #look(trace: TraceReader): Promise<void> {
    const moment = (await trace.read()).flatMap((line) => momentOf(line) ?? []).at(-1)
    if (moment === undefined || this.#isUsedUp()) return
    const start = performance.now()
    const jpeg = await this.#shoot().catch(() => null)
    const lateMs = performance.now() - start
    this.#usedMs += lateMs
    if (jpeg === null) return
    this.#usedBytes += jpeg.length
    if (this.#usedBytes > MOST.bytes) return
    const path = filmPath(this.frames.length + 1)
    this.frames.push({
      frame: { ...moment, endMs: Math.round(moment.endMs), path, lateMs: Math.round(lateMs) },
      jpeg,
    })
  }

  #isUsedUp(): boolean {
    return (
      this.frames.length >= MOST.frames || this.#usedBytes >= MOST.bytes || this.#usedMs >= MOST.ms
    )
  }
}

type Moment = Pick<FilmFrame, 'step' | 'action' | 'endMs' | 'failed'>

/** The end of a driver's step, of a model's tool call, or of an action that failed. */
function momentOf(line: HostLine): Moment | null {
  if ('stepEnd' in line) return { ...line.stepEnd, action: null, failed: false }
  if (!('action' in line)) return null
  const { step, action, startMs, durationMs, error } = line.action
  if (step !== null && error === null) return null
  return { step, action, endMs: startMs + durationMs, failed: error !== null }
}

const PART_BYTES = 64 << 10
const MOST_BYTES = 4 << 20

/** Reads what was added to a trace, which anything may have written to: see `readTrace`. */
class TraceReader {
  readonly #path: string
  readonly #part = Buffer.alloc(PART_BYTES)
  #file: FileHandle | null = null
  #offset = 0
  #rest = ''

  constructor(path: string) {
    this.#path = path
  }

  /** The whole lines that were added; a broken one is left out. */
  async read(): Promise<HostLine[]> {
    this.#file ??= await openPlainly(this.#path)
    if (this.#file === null || this.#offset >= MOST_BYTES) return []
    const read = await this.#file.read(this.#part, 0, PART_BYTES, this.#offset).catch(() => null)
    if (read === null || read.bytesRead === 0) return []
    this.#offset += read.bytesRead
    const lines = (this.#rest + this.#part.toString('utf8', 0, read.bytesRead)).split('\n')
    this.#rest = lines.pop()?.slice(0, PART_BYTES) ?? ''
    return lines.flatMap((line) => parseHostLine(line) ?? [])
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

/** Null = not there yet, or no plain file. */
async function openPlainly(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => null)
  if (file === null || (await file.stat()).isFile()) return file
  await file.close()
  return null
}
