import { EPISODE_SCHEMA_VERSION } from './episode.ts'
import type { ParseResult } from './problem.ts'

/**
 * Brings an older envelope up to the present schema, one version at a time. Version 1 is the first, so there is
 * nothing to change yet; a newer one than ours is refused by name instead of by a list of unknown fields.
 */
export function upgradeEpisode(input: unknown): ParseResult<unknown> {
  const version = readVersion(input)
  if (version === null)
    return {
      ok: false,
      problems: [{ path: 'schemaVersion', message: 'missing: this is not an episode envelope' }],
    }
  if (version > EPISODE_SCHEMA_VERSION) {
    const message = `version ${version} is newer than this program reads (${EPISODE_SCHEMA_VERSION}): update Proofboard`
    return { ok: false, problems: [{ path: 'schemaVersion', message }] }
  }
  return { ok: true, value: input }
}

function readVersion(input: unknown): number | null {
  if (typeof input !== 'object' || input === null || !('schemaVersion' in input)) return null
  return typeof input.schemaVersion === 'number' ? input.schemaVersion : null
}
