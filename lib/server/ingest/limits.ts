/** Limits of one body. Sizes in bytes, times in milliseconds. */
export type BodyLimits = {
  /** As sent, compressed or not. */
  sentBytes: number
  /** JSON after decompression. */
  plainBytes: number
  /** Decompressed size of all files of an archive, and their number. */
  archiveBytes: number
  archiveFiles: number
  /** Decompressed bytes per compressed byte, for bodies above a minimum size. */
  ratio: number
  /** For the whole body, and between two pieces of it. */
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
/** One envelope or plan as JSON text: far more than any that was ever sealed. */
export const MAX_PIECE_BYTES = 16 * MIB
/** Archives up to this size may have any compression ratio. */
export const RATIO_FREE_BYTES = 4 * MIB

/** Formats `100 MB`, for sentences. */
export function formatMegabytes(bytes: number): string {
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MB` : `${Math.ceil(bytes / 1024)} kB`
}
