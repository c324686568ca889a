import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Digest, digestSchema, parseJson } from '#lib/domain/record/index.ts'
import { makeFolder, writeAtomic } from '../engine/files.ts'

/** Raise it whenever judging changes what a proof means. */
export const HARBOR_PROOF_VERSION = 1

const proofSchema = z.strictObject({
  schemaVersion: z.literal(HARBOR_PROOF_VERSION),
  inputs: digestSchema,
  /** How often the reference was solved in a row. */
  referenceRuns: z.number().int().positive(),
  level: z.enum(['bubblewrap', 'docker']),
})
type Proof = z.infer<typeof proofSchema>

/** Proofs are in the data folder, because the task's own folder belongs to its author. */
const fileOf = (data: string, inputs: Digest) =>
  join(data, 'harbor-proofs', `${inputs.slice('sha256:'.length)}.json`)

/** Why a task is not proven, in a sentence that follows its name; null = it is. */
export function findUnproven(data: string, inputs: Digest): string | null {
  const command = 'prove it with "proofboard suite verify"'
  const path = fileOf(data, inputs)
  if (!existsSync(path)) return `has no proof, or has changed since: ${command}`
  const parsed = proofSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success && parsed.data.inputs === inputs
    ? null
    : `has a broken proof in ${path}: ${command}`
}

/** Keeps what a proof has shown. */
export async function storeHarborProof(
  data: string,
  proof: Omit<Proof, 'schemaVersion'>,
): Promise<void> {
  await makeFolder(join(data, 'harbor-proofs'))
  const whole = proofSchema.parse({ schemaVersion: HARBOR_PROOF_VERSION, ...proof })
  await writeAtomic(fileOf(data, proof.inputs), `${JSON.stringify(whole)}\n`)
}
