import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  type Digest,
  digestSchema,
  parseJson,
  relativePathSchema,
} from '#lib/domain/record/index.ts'
import { makeFolder, writeAtomic } from '../engine/files.ts'

/** Raise it whenever judging changes what a proof means. */
export const HARBOR_PROOF_VERSION = 2

/** Files of a task's tests, changed so that its verifier must not reward any work. */
const changedTestsSchema = z.array(z.strictObject({ path: relativePathSchema, text: z.string() }))
export type ChangedTests = z.infer<typeof changedTestsSchema>

const proofSchema = z.strictObject({
  schemaVersion: z.literal(HARBOR_PROOF_VERSION),
  inputs: digestSchema,
  /** How often the reference was solved in a row. */
  referenceRuns: z.number().int().positive(),
  level: z.enum(['bubblewrap', 'docker']),
  /** Changed tests that did not reward the reference. */
  altered: z.array(changedTestsSchema).max(10),
})
type Proof = z.infer<typeof proofSchema>

/** Proofs are in the data folder, because the task's own folder belongs to its author. */
const fileOf = (data: string, inputs: Digest) =>
  join(data, 'harbor-proofs', `${inputs.slice('sha256:'.length)}.json`)

/** What is known of a proof; `unproven` says in a sentence that follows the task's name why there is none. */
export type KnownProof = { unproven: string | null; altered: readonly ChangedTests[] }

/** Reads the proof of a task. */
export function readHarborProof(data: string, inputs: Digest): KnownProof {
  const command = 'prove it with "proofboard suite verify"'
  const path = fileOf(data, inputs)
  const without = (why: string): KnownProof => ({ unproven: `${why}: ${command}`, altered: [] })
  if (!existsSync(path)) return without('has no proof, or has changed since')
  const parsed = proofSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success && parsed.data.inputs === inputs
    ? { unproven: null, altered: parsed.data.altered }
    : without(`has a broken proof in ${path}`)
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
