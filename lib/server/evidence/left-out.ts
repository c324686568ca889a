import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import { digestSchema } from '../../domain/digest/index.ts'
import { env } from '../../env.ts'
import { processWide } from '../../process-wide.ts'

/** File that lists what is missing from a data folder. */
export const LEFT_OUT_FILE = 'left-out.json'

const leftOutSchema = z.object({
  kind: z.literal('proofboard-left-out'),
  schemaVersion: z.literal(1),
  /** When this data folder was restored, and the date of the backup; null = it was not restored. */
  restored: z.object({ at: z.iso.datetime(), backup: z.iso.datetime() }).nullable(),
  /** Secret files that the backup did not include. */
  secrets: z.array(z.string()),
  /** Ids of the keys that signed heads of the ledger before the restore. */
  ledgerKeys: z.array(digestSchema),
  /** Number of evidence files that were left out, by the directory of their episode. */
  evidence: z.record(z.string(), z.number().int().positive()),
})
type LeftOut = z.infer<typeof leftOutSchema>

const NOTHING: LeftOut = {
  kind: 'proofboard-left-out',
  schemaVersion: 1,
  restored: null,
  secrets: [],
  ledgerKeys: [],
  evidence: {},
}

const parsed = processWide(
  'left out',
  () => new Map<string, { version: string; leftOut: LeftOut }>(),
)

/**
 * Returns what is missing from a data folder: because of a restore, or because another machine began a run that is
 * continued here. An unreadable file lists nothing, so that absent evidence counts as missing.
 */
export function readLeftOut(dataDir = env().dataDir): LeftOut {
  const file = join(dataDir, LEFT_OUT_FILE)
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  if (!found) return NOTHING
  const version = [found.ino, found.size, found.mtimeNs, found.ctimeNs].join()
  const known = parsed.get(file)
  if (known?.version === version) return known.leftOut
  const text = readFileSync(file, 'utf8')
  const leftOut = leftOutSchema.safeParse(parseJson(text)).data ?? NOTHING
  parsed.set(file, { version, leftOut })
  return leftOut
}

/** Changes the list. The file is replaced atomically. */
export function changeLeftOut(change: Partial<LeftOut>, dataDir = env().dataDir): void {
  const file = join(dataDir, LEFT_OUT_FILE)
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  const text = JSON.stringify({ ...readLeftOut(dataDir), ...change }, null, 1)
  try {
    writeFileSync(draft, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Counts episodes and files whose evidence was left out; null = none. */
export function countLeftOut(dataDir = env().dataDir): { episodes: number; files: number } | null {
  const counts = Object.values(readLeftOut(dataDir).evidence)
  const files = counts.reduce((sum, count) => sum + count, 0)
  return files === 0 ? null : { episodes: counts.length, files }
}
