import { z } from 'zod'
import type { EvidenceFile } from './episode.ts'

/** Path of the filmstrip's description in a browser episode's evidence: one JSON line per frame. */
export const FILM_FILE = 'film.ndjson'

const FILM_PATH = /^film\/\d{2}\.jpg$/

const ms = z.number().nonnegative()

/** A small screenshot of the page, taken by the harness after a step or a model's tool call. */
export const filmFrameSchema = z.object({
  path: z.string().regex(FILM_PATH),
  /** The driver's step; null for a model's tool call. */
  step: z.string().max(200).nullable(),
  /** The tool call, or the action that failed; null at the end of a step. */
  action: z.string().max(60).nullable(),
  /** When the step or call ended, in milliseconds since the library began to connect. */
  endMs: ms,
  /** Delay of the screenshot in milliseconds: the subject does not wait for it. */
  lateMs: ms,
  failed: z.boolean(),
})
export type FilmFrame = z.infer<typeof filmFrameSchema>

/** File name of a frame, counted from 1. */
export function filmPath(number: number): string {
  return `film/${String(number).padStart(2, '0')}.jpg`
}

/** Returns the screenshot of an episode's final page; frames of its filmstrip have the same role. */
export function finalScreenshot(evidence: readonly EvidenceFile[]): EvidenceFile | undefined {
  return evidence.find(({ role, path }) => role === 'screenshot' && !FILM_PATH.test(path))
}
