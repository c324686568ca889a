import { join } from 'node:path'
import { type Kept, readKept } from '#lib/db/read-kept.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { checkArchive } from '#lib/domain/archive/check-archive.ts'
import { env } from '#lib/env.ts'
import { type ParsedKept, parseKept } from './parse-kept.ts'

export type Server = ParsedKept & { dataDir: string; kept: Kept }

/** A server's data directory, read without changing it. `flaws` are all that keeps its numbers from being computed again. */
export function readServer(dataDir: string): Server {
  const kept = readKept(join(dataDir, 'proofboard.db'), env().migrationsDir)
  const parsed = parseKept(kept)
  const flaws: Flaw[] = [...parsed.flaws, ...checkArchive(parsed.archive)]
  return { ...parsed, flaws, dataDir, kept }
}
