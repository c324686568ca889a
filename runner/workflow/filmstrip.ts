import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FilmFrame, filmPath } from '#lib/domain/record/index.ts'
import { type HostLine, parseHostLine } from '../libraries/host-protocol.ts'

/** The frame of one step. */
export type FilmShot = { frame: FilmFrame; jpeg: Buffer }

/** Limits of a filmstrip: frames, bytes, and time that the camera works in parallel with the library. */
const MOST = { frames: 24, bytes: 600_000, ms: 4000 }

const LOOK_MS = 25

/**
 * The filmstrip of one episode. It follows the trace that the library's process writes and takes a frame after each
 * step; nothing waits for it, so a step that ends during another frame has none. For a long episode it keeps every
 * second frame, every fourth and so on, so that it shows all of it, and each failure.
 */
export class Filmstrip {
  #frames: FilmShot[] = []
  readonly #shoot: () => Promise<Buffer | null>
  #isEnding = false
  #following: Promise<void> = Promise.resolve()
  #trace: TraceReader | null = null
  #usedMs = 0
  /** One frame per this many steps. */
  #stride = 1
  #stepsSince = Number.POSITIVE_INFINITY
  /** The latest step, if it has no frame: the very last one gets one. */
  #skipped: Moment | null = null

  constructor(shoot: () => Promise<Buffer | null>) {
    this.#shoot = shoot
  }

  get frames(): readonly FilmShot[] {
    return this.#frames
  }

  /** Begins to follow a trace that may not exist yet. */
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
    this.#frames = this.#frames.map(({ frame, jpeg }, place) => ({
      frame: { ...frame, path: filmPath(place + 1) },
      jpeg,
    }))
    return this.#frames
  }

  async #go(trace: TraceReader): Promise<void> {
    while (!(this.#isEnding || this.#isUsedUp())) {
      await this.#look(trace)
      await sleep(LOOK_MS)
    }
  }

  async #look(trace: TraceReader): Promise<void> {
    const moments = (await trace.read()).flatMap((line) => momentOf(line) ?? [])
    const moment = moments.at(-1) ?? (this.#isEnding ? this.#skipped : null)
    this.#stepsSince += moments.length
    if (moment === null || this.#isUsedUp()) return
    this.#skipped = moment
    if (this.#stepsSince < this.#stride && !moment.failed && !this.#isEnding) return
    this.#skipped = null
    const start = performance.now()
    const jpeg = await this.#shoot().catch(() => null)
    const lateMs = performance.now() - start
    this.#usedMs += lateMs
    if (jpeg === null || !this.#makeRoom(jpeg.length)) return
    this.#stepsSince = 0
    const path = filmPath(this.#frames.length + 1)
    this.#frames.push({
      frame: { ...moment, endMs: Math.round(moment.endMs), path, lateMs: Math.round(lateMs) },
      jpeg,
    })
  }

  /** Thins out the strip until another frame of this many bytes fits; false = it never does. */
  #makeRoom(bytes: number): boolean {
    while (this.#frames.length >= MOST.frames || sizeOf(this.#frames) + bytes > MOST.bytes) {
      const kept = this.#frames.filter(({ frame }, place) => place % 2 === 0 || frame.failed)
      if (kept.length === this.#frames.length) return false
      this.#frames = kept
      this.#stride *= 2
    }
    return true
  }

  #isUsedUp(): boolean {
    return this.#usedMs >= MOST.ms
  }
}

function sizeOf(frames: readonly FilmShot[]): number {
  return frames.reduce((bytes, { jpeg }) => bytes + jpeg.length, 0)
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
const MAX_BYTES = 4 << 20

/** Reads what was added to a trace; any program may have written to it: see `readTrace`. */
class TraceReader {
  readonly #path: string
  readonly #part = Buffer.alloc(PART_BYTES)
  readonly #decoder = new TextDecoder()
  #file: FileHandle | null = null
  #offset = 0
  #rest = ''

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Reads all complete lines that were added: the page is past the steps that they report. Invalid ones are skipped.
   */
  async read(): Promise<HostLine[]> {
    const found: HostLine[] = []
    for (;;) {
      const part = await this.#readPart()
      if (part === null) return found
      const lines = (this.#rest + part).split('\n')
      this.#rest = lines.pop()?.slice(0, PART_BYTES) ?? ''
      found.push(...lines.flatMap((line) => parseHostLine(line) ?? []))
    }
  }

  async #readPart(): Promise<string | null> {
    this.#file ??= await openPlainly(this.#path)
    if (this.#file === null || this.#offset >= MAX_BYTES) return null
    const read = await this.#file.read(this.#part, 0, PART_BYTES, this.#offset).catch(() => null)
    if (read === null || read.bytesRead === 0) return null
    this.#offset += read.bytesRead
    return this.#decoder.decode(this.#part.subarray(0, read.bytesRead), { stream: true })
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

/** Null = missing, or not a plain file. */
async function openPlainly(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => null)
  if (file === null || (await file.stat()).isFile()) return file
  await file.close()
  return null
}
