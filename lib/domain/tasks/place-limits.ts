import { z } from 'zod'
import { BYTES } from '../settings/index.ts'

const MAX_PROCESSES = 100_000
const MAX_FILES = 10_000_000
const MAX_SECONDS = 24 * 3600

const count = (max: number) => z.number().int().positive().max(max).optional()
const bytes = z.number().int().positive().optional()

/** Resource limits of one part of a task. Absent = the plan's limit, or the default. */
const partLimitsSchema = z.object({
  /** In docker, of all processes together; in bubblewrap, of each process. */
  memoryBytes: bytes,
  /** Bytes that it may add to the files that it starts with. */
  diskQuotaBytes: bytes,
  maxProcesses: count(MAX_PROCESSES),
})
type PartLimits = z.infer<typeof partLimitsSchema>

/** Limits that a repository task declares. Time limits of agent and verifier are in `budgets` and `verify`. */
export const taskLimitsSchema = z.object({
  setup: partLimitsSchema
    .extend({
      /** Files and links in the prepared repository. */
      maxFiles: count(MAX_FILES),
      /** Timeout of each command. */
      timeoutMs: z.number().int().positive().optional(),
    })
    .optional(),
  agent: partLimitsSchema.optional(),
  verify: partLimitsSchema.optional(),
})
export type TaskLimits = z.infer<typeof taskLimitsSchema>

/** Bytes, written as `8GB`. */
const sizeSchema = z
  .string({ error: `must be ${BYTES.expected}` })
  .refine((text) => BYTES.read(text) !== null, `must be ${BYTES.expected}`)
  .transform((text) => BYTES.read(text) ?? undefined)
  .optional()

const partShape = { memory: sizeSchema, disk: sizeSchema, processes: count(MAX_PROCESSES) }
const partSchema = z.strictObject(partShape).transform(toPartLimits)
const setupSchema = z
  .strictObject({ ...partShape, files: count(MAX_FILES), timeout: count(MAX_SECONDS) })
  .transform(({ files, timeout, ...part }) => ({
    ...toPartLimits(part),
    ...(files === undefined ? {} : { maxFiles: files }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  }))

/** `limits` of a `task.yaml`: sizes as text and times in seconds, converted to the units of plans. */
export const limitsFileSchema = z.strictObject({
  setup: setupSchema.optional(),
  agent: partSchema.optional(),
  verify: partSchema.optional(),
})

type PartFile = {
  memory?: number | undefined
  disk?: number | undefined
  processes?: number | undefined
}

function toPartLimits({ memory, disk, processes }: PartFile): PartLimits {
  return {
    ...(memory === undefined ? {} : { memoryBytes: memory }),
    ...(disk === undefined ? {} : { diskQuotaBytes: disk }),
    ...(processes === undefined ? {} : { maxProcesses: processes }),
  }
}
