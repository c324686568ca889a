import type { ParseResult } from '../text/index.ts'
import { isMeasured } from './any-record.ts'
import type { Episode } from './episode.ts'
import type { Mode } from './outcome.ts'
import { parseAnyEpisode } from './seal.ts'
import type { Subject } from './subject.ts'

/** The parts of an episode by which its stored work is judged again. */
export type StoredWork = Pick<
  Episode,
  | 'episodeId'
  | 'taskId'
  | 'taskDigest'
  | 'outcome'
  | 'failureCategory'
  | 'contract'
  | 'browser'
  | 'evidence'
> & {
  mode: Mode
  subject: Subject & {
    settings: Pick<Episode['subject']['settings'], 'customInstruction' | 'price'>
  }
}

/** Parses an envelope whose work can be judged: measured by Proofboard's runner, or in escrow. */
export function parseStoredWork(input: unknown): ParseResult<StoredWork> {
  const parsed = parseAnyEpisode(input)
  if (!parsed.ok) return parsed
  const episode = parsed.value
  if (isMeasured(episode)) return { ok: true, value: episode }
  const { escrow, subject } = episode
  if (!escrow) {
    const message = 'was reported by another program, and its final state is not in escrow'
    return { ok: false, problems: [{ path: 'escrow', message }] }
  }
  const unknown = { expectedTests: null, executedTests: null, passedTests: null }
  const contract = { verdict: escrow.verdict, assertions: [], ...unknown }
  const { customInstruction, price } = subject.settings
  const settings = {
    ...(customInstruction === undefined ? {} : { customInstruction }),
    ...(price === undefined ? {} : { price }),
  }
  return { ok: true, value: { ...episode, contract, subject: { ...subject, settings } } }
}
