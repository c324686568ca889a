import { database } from '../../db/database.ts'
import { listWithEvidence } from '../../db/episode-list.ts'
import { findEpisode } from '../../db/episode-store.ts'
import type { ScanCounts } from '../../domain/api/index.ts'
import { parseTranscriptLine, type ScannerName } from '../../domain/transcript/index.ts'
import { processWide } from '../../process-wide.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { type EvidenceRef, evidenceRef } from '../evidence/evidence-store.ts'

/** Number of scanned episodes, latest first; each is a file. */
const MAX_EPISODES = 100
/** Bytes at the end that contain the last line, the findings. */
const TAIL_BYTES = 32 << 10
const MAX_KEPT = 10_000

/** Counts findings of the scanners in the latest transcripts of an agent; null = none of them is stored here. */
export async function countScans(name: string): Promise<ScanCounts | null> {
  const episodes = await listWithEvidence(database(), name, MAX_EPISODES)
  const counts = new Map<ScannerName, { episodes: number; latest: string }>()
  let scanned = 0
  for (const { episodeId } of episodes) {
    const found = await readFindings(episodeId)
    if (found === null) continue
    scanned += 1
    for (const scanner of found) {
      const { episodes: before, latest } = counts.get(scanner) ?? { episodes: 0, latest: episodeId }
      counts.set(scanner, { episodes: before + 1, latest })
    }
  }
  if (scanned === 0) return null
  const rows = [...counts].map(([scanner, count]) => ({ scanner, ...count }))
  return { scanned, counts: rows.sort((a, b) => b.episodes - a.episodes) }
}

/** Keyed by episode: sealed evidence does not change. */
const scans = processWide('scans', () => new Map<string, readonly ScannerName[]>())

/** Returns the scanners with a finding; null = no transcript with findings is stored. */
async function readFindings(episodeId: string): Promise<readonly ScannerName[] | null> {
  const known = scans.get(episodeId)
  if (known) return known
  const record = await findEpisode(database(), episodeId)
  const file = record?.episode.evidence.find(({ role }) => role === 'transcript')
  const ref = record && file ? evidenceRef(record.directory, file) : null
  const line = ref === null ? null : parseTranscriptLine((await readLastLine(ref)) ?? '')
  if (line?.kind !== 'findings') return null
  const names = [...new Set(line.findings.map(({ scanner }) => scanner))]
  if (scans.size >= MAX_KEPT) scans.clear()
  scans.set(episodeId, names)
  return names
}

async function readLastLine(ref: EvidenceRef): Promise<string | null> {
  const file = await evidenceStore().open(ref)
  if (!file) return null
  try {
    const length = Math.min(file.sizeBytes, TAIL_BYTES)
    const bytes = await file.read(Buffer.alloc(length), file.sizeBytes - length)
    const lines = bytes.toString('utf8').trimEnd().split('\n')
    return lines.at(-1) ?? null
  } finally {
    await file.close()
  }
}
