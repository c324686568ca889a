import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'

/** Sandbox of the process that ran a solution, independent of its subject's sandbox. */
export const verifierSandboxSchema = z.object({
  /**
   * `docker`: a container of its own; `own-user`: a separate user that owns nothing; `none`: the harness's own user, with
   * only node's permission model.
   */
  sandbox: z.enum(['bubblewrap', 'docker', 'own-user', 'none']),
  network: z.enum(['none', 'host']),
})
export type VerifierSandbox = z.infer<typeof verifierSandboxSchema>

/** With the digest of the programs that judge. */
export const verifierSchema = verifierSandboxSchema.extend({ digest: digestSchema })
export type Verifier = z.infer<typeof verifierSchema>

/** The environment that was used: resolved, not requested. Null = not applicable or unknown. */
export const environmentSchema = z.object({
  os: z.string(),
  arch: z.string(),
  kernel: z.string(),
  node: z.string(),
  bun: z.string().nullable(),
  browser: z.object({ name: z.string(), version: z.string() }).nullable(),
  containerImageDigest: digestSchema.nullable(),
  isolation: z.enum(['local', 'bubblewrap', 'docker']),
  /**
   * At `local`, the user whose files the subject's programs could read: `runner` = the runner's own user, with its
   * keys, database, references and other attempts; `own` = a user that owns nothing else here. Absent in a sandbox, if
   * the subject starts no program, and in envelopes from before this was recorded.
   */
  subjectUser: z.enum(['runner', 'own']).optional(),
  cpuCount: z.number().int().positive(),
  memoryBytes: z.number().int().positive(),
  harness: z.object({
    version: z.string(),
    commit: z.string().nullable(),
    /** Null = unknown, because it is not a git checkout. */
    dirty: z.boolean().nullable(),
  }),
  /** The exercise verifier; null or absent for browser tasks and in envelopes from before it was recorded. */
  verifier: verifierSchema.nullable().optional(),
  /** Libraries that decide a verdict or drive a subject, by exact version. */
  libraries: z.record(z.string(), z.string()),
  /** For tasks whose tests run in other languages: the toolchains on PATH, with their versions. */
  toolchains: z.record(z.string().max(40), z.string().max(100)).optional(),
  /** For the same tasks: digest of the certificate authorities; null = none. */
  certificates: digestSchema.nullable().optional(),
  /** Digest of machine facts, so that two hosts can be distinguished without naming them. */
  hostFingerprint: digestSchema,
})
export type Environment = z.infer<typeof environmentSchema>
