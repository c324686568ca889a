/** What one body may cost. Sizes in bytes, times in milliseconds. */
export type BodyLimits = {
  /** As it is sent, packed or not. */
  sentBytes: number
  /** JSON after unpacking. */
  plainBytes: number
  /** All files of an archive together, after unpacking, and how many there may be. */
  archiveBytes: number
  archiveFiles: number
  /** Plain bytes for each packed one, once a body is larger than a small one. */
  ratio: number
  /** Until the whole body is here, and between two pieces of it. */
  totalMs: number
  idleMs: number
}

const MIB = 1024 * 1024

export const BODY_LIMITS: BodyLimits = {
  sentBytes: 100 * MIB,
  plainBytes: 100 * MIB,
  archiveBytes: 400 * MIB,
  archiveFiles: 50_000,
  ratio: 200,
  totalMs: 10 * 60_000,
  idleMs: 30_000,
}

/** Episodes in one upload: a suite of a hundred tasks, a hundred times, five subjects. */
export const MAX_EPISODES = 50_000
/** One envelope or plan as JSON text: far above any that was ever sealed. */
export const MAX_PIECE_BYTES = 16 * MIB
/** An archive as small as this may be packed as tightly as it likes. */
export const RATIO_FREE_BYTES = 4 * MIB

/** `100 MB`, for sentences. */
export function formatMegabytes(bytes: number): string {
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MB` : `${Math.ceil(bytes / 1024)} kB`
}
