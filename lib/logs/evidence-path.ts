import { join, resolve, sep } from 'node:path'
import type { EpisodeRecord } from '#lib/db/episode-store.ts'
import type { EvidenceFile } from '#lib/domain/episode.ts'
import { env } from '#lib/env.ts'

/**
 * Where an evidence file lies; null = its files were never received. The path comes from a sealed list that was
 * parsed, never from a request; that it stays inside the data directory is checked all the same.
 */
export function evidencePath({ directory }: EpisodeRecord, file: EvidenceFile): string | null {
  if (directory === null) return null
  const { dataDir } = env()
  const folder = resolve(dataDir, directory)
  const path = resolve(folder, file.path)
  return path.startsWith(join(dataDir, sep)) && path.startsWith(join(folder, sep)) ? path : null
}
