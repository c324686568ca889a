import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import type { Server } from './read-server.ts'

/**
 * What the folders of sealed runs say against the database: an episode under another seal, and one that is not kept.
 * Folders may be gone, since the database is enough; what is there has to agree.
 */
export function checkFolders({ dataDir, episodes, archive }: Server): Flaw[] {
  const kept = new Map(episodes.map(({ episode }) => [episode.episodeId, episode.seal]))
  const sealed = (archive.entries ?? []).flatMap(({ action }) =>
    action.kind === 'seal-run' ? action.target : [],
  )
  return [...new Set(sealed)].flatMap((runId) =>
    listEnvelopes(join(dataDir, 'runs', runId)).flatMap((file) => checkFile(file, kept)),
  )
}

function checkFile(file: string, kept: ReadonlyMap<string, string>): Flaw[] {
  const episode = readEpisode(file)
  if (!episode) return []
  const { episodeId, seal } = episode
  const place = `episode ${episodeId}`
  const known = kept.get(episodeId)
  if (known === seal) return []
  if (known) return [{ place, problem: 'its run folder holds it under another seal' }]
  return [
    {
      place,
      problem:
        'its run folder holds it, and the database does not: the server takes it in when it starts',
    },
  ]
}

/** A broken file proves nothing against the database. */
function readEpisode(file: string) {
  try {
    const parsed = parseEpisode(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.ok ? parsed.value : null
  } catch {
    return null
  }
}

/** Every `episode.json` of a run folder, in the order of their paths. */
export function listEnvelopes(runFolder: string): string[] {
  const folder = join(runFolder, 'episodes')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[/\\])episode\.json$/.test(path))
    .sort()
    .map((path) => join(folder, path))
}
