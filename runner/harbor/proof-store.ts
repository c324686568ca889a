import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Digest, digestSchema } from '#lib/domain/digest/index.ts'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { makeFolder, writeAtomic } from '../engine/files.ts'

/** Raise it when a change of judging invalidates proofs. */
export const HARBOR_PROOF_VERSION = 3

/**
 * A test that fails the reference once it is altered: its place, and the names under which the verifier reports it; no
 * names = only the reward shows it.
 */
const alteredTestSchema = z.strictObject({
  path: relativePathSchema,
  at: z.number().int().nonnegative(),
  names: z.array(z.string().max(4000)).max(1000),
  /** The name of its step; absent = the task has no steps. */
  step: z.string().max(100).optional(),
})
export type AlteredTest = z.infer<typeof alteredTestSchema>

const proofSchema = z.strictObject({
  schemaVersion: z.literal(HARBOR_PROOF_VERSION),
  inputs: digestSchema,
  /** Consecutive times that the reference was solved. */
  referenceRuns: z.number().int().positive(),
  level: z.enum(['bubblewrap', 'docker']),
  /** Tests that each attempt alters differently. */
  altered: z.array(alteredTestSchema).max(4000),
})
type Proof = z.infer<typeof proofSchema>

/** Proofs are stored in the data folder, because the task's folder belongs to its author. */
const fileOf = (data: string, inputs: Digest) =>
  join(data, 'harbor-proofs', `${inputs.slice('sha256:'.length)}.json`)

/** A stored proof; `unproven` says why there is none, as a sentence that follows the task's name. */
export type KnownProof = { unproven: string | null; altered: readonly AlteredTest[] }

/** Reads the proof of a task. */
export function readHarborProof(data: string, inputs: Digest): KnownProof {
  const command = 'prove it with "proofboard suite verify", which needs bubblewrap or docker'
  const path = fileOf(data, inputs)
  const without = (why: string): KnownProof => ({ unproven: `${why}: ${command}`, altered: [] })
  if (!existsSync(path)) return without('has no proof, or has changed since')
  const parsed = proofSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success && parsed.data.inputs === inputs
    ? { unproven: null, altered: parsed.data.altered }
    : without(`has a broken proof in ${path}`)
}

/** Stores a proof. */
export async function storeHarborProof(
  data: string,
  proof: Omit<Proof, 'schemaVersion'>,
): Promise<void> {
  await makeFolder(join(data, 'harbor-proofs'))
  const whole = proofSchema.parse({ schemaVersion: HARBOR_PROOF_VERSION, ...proof })
  await writeAtomic(fileOf(data, proof.inputs), `${JSON.stringify(whole)}\n`)
}
