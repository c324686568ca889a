import type { Outcome } from '#lib/domain/record/index.ts'
import type { TouchedFile } from './workspace.ts'

const MAX_NAMED = 3

/** Adds to the outcome of unsolved work which parts were not judged, because they may be the cause. */
export function nameLeftOut(outcome: Outcome, touched: readonly TouchedFile[]): Outcome {
  if (outcome.status !== 'unsolved' || touched.length === 0) return outcome
  const named = touched.slice(0, MAX_NAMED).map(({ path, reason }) => {
    const short = path.slice(0, 200)
    return reason === undefined ? short : `${short} (${reason})`
  })
  const more = touched.length > MAX_NAMED ? ` and ${touched.length - MAX_NAMED} more` : ''
  return { ...outcome, reason: `${outcome.reason}; not judged: ${named.join(', ')}${more}` }
}
