import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { canonicalJson, digestJson } from '#lib/domain/digest/index.ts'
import {
  type Atif,
  atifSchema,
  formatMismatch,
  type HarborTrial,
  harborTrialSchema,
} from '#lib/domain/formats/index.ts'
import type { EvidenceFile } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import { asEvidence, type StagingFolder } from '../format.ts'
import { readDocument } from '../json/json-document.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'

export const TITLE = 'a job folder of Harbor'
const MAX_REWARD_BYTES = 100
/** Files of a trial besides its result, and their roles. */
const STORED_FILES: readonly (readonly [string, EvidenceFile['role']])[] = [
  ['verifier/reward.txt', 'source-record'],
  ['verifier/reward.json', 'source-record'],
  ['verifier/ctrf.json', 'source-record'],
  ['verifier/test-stdout.txt', 'gate-log'],
  ['agent/trajectory.json', 'source-record'],
]

/** A trial in an archive. */
export type TrialPlace = {
  path: string
  folder: string
  record: unknown
  all: ArchiveFiles
  staging: StagingFolder
  files: Map<EvidenceFile, StoredFile>
}

/** Parses a file of a job folder. Throws an AppError that names the path if it has another shape. */
export function parseHarbor<T>(schema: z.ZodType<T>, path: string, record: unknown): T {
  const parsed = schema.safeParse(record)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }))
  throw new AppError('invalid-episode', formatMismatch(TITLE, issues))
}

/**
 * Reads one trial without its trajectory, and stages its evidence. Throws an AppError if its result has another shape.
 */
export async function readTrial({
  path,
  folder,
  record,
  all,
  staging,
  files,
}: TrialPlace): Promise<Omit<HarborTrial, 'trajectory'>> {
  const trial = parseHarbor(harborTrialSchema, path, record)
  const keep = (stored: StoredFile, role: EvidenceFile['role'], name: string) => {
    const named = asEvidence(stored, role, name)
    files.set(named, stored)
    return named
  }
  const beside = STORED_FILES.flatMap(([name, role]) => {
    const stored = all.get(`${folder}${name}`)
    return stored ? [keep(stored, role, name)] : []
  })
  const result = await staging.keepText(withoutConfig(record))
  return {
    trial,
    reward: readReward(all.get(`${folder}verifier/reward.txt`)),
    recordDigest: digestJson(record),
    evidence: [keep(result, 'source-record', 'result.json'), ...beside],
  }
}

/** Removes the configuration of a trial, which may contain the agent's keys, because evidence is public. */
function withoutConfig(record: unknown): string {
  const { config: _, ...rest } = record as Record<string, unknown>
  return canonicalJson(rest)
}

function readReward(file: StoredFile | undefined): number | null {
  if (!file || file.sizeBytes > MAX_REWARD_BYTES) return null
  const text = readFileSync(file.file, 'utf8').trim()
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

/** Reads a trajectory. An invalid one provides no counts, but is still evidence. */
export function readTrajectory(file: StoredFile | undefined): Atif | null {
  if (!file) return null
  try {
    return atifSchema.safeParse(readDocument('agent/trajectory.json', file).read()).data ?? null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Says that a job folder is unreadable, and why. */
export function refuse(why: string): AppError {
  return new AppError('invalid-episode', `this is ${TITLE}, but ${why}`)
}
