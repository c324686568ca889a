import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { difficultySchema, durationMsSchema, releasedSchema, slugSchema } from '../record/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { familySchema } from './family.ts'

/** Maximum characters of an instruction. */
const MAX_INSTRUCTION = 200_000

/** Maximum steps of a task. */
export const MAX_STEPS = 100

/**
 * Environment variables by name, as visible to the task's parts. `${NAME}` in a value is a variable of the machine that
 * runs the task, and is never stored.
 */
const envSchema = z.record(z.string(), z.string())

const networkSchema = z.enum(['off', 'on'])
const waitSchema = z.number().int().nonnegative()

/**
 * Execution environment of a task: `files` = a folder, filled by the COPY lines of its Dockerfile; `image` = its
 * container image, with the reason why the files alone are not enough.
 */
const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('files'), workdir: z.string(), from: z.string() }),
  z.object({ kind: z.literal('image'), workdir: z.string().nullable(), why: z.string().max(500) }),
])

/** The agent's settings for a task, or for one of its steps. */
const agentPartSchema = z.object({
  timeoutMs: durationMsSchema.nullable(),
  user: z.string().nullable(),
  network: networkSchema,
})

/** A command that saves what only a running service knows. */
const collectPartSchema = z.object({
  service: z.string().max(100),
  command: z.string().min(1).max(2000),
  timeoutMs: durationMsSchema,
  user: z.string().nullable(),
})
export type CollectPart = z.infer<typeof collectPartSchema>

/** The verifier's settings for a task, or for one of its steps. */
const verifierPartSchema = z.object({
  timeoutMs: durationMsSchema,
  env: envSchema,
  user: z.string().nullable(),
  network: networkSchema,
  /**
   * It runs in an environment of its own, which has these paths of the agent's and nothing else of its work; `image` null =
   * built from `tests/Dockerfile` where there is one, else the agent's as it started. Absent = in what the agent left.
   */
  separate: z
    .object({
      image: z.string().max(500).nullable(),
      artifacts: z.array(z.string().max(1000)).max(100),
      /** Paths of other services than `main`; absent = none. */
      ofServices: z
        .array(z.object({ service: z.string().max(100), path: z.string().max(1000) }))
        .max(100)
        .optional(),
    })
    .optional(),
  /** Commands that are run in services after the agent, before the verifier; absent = none. */
  collect: z.array(collectPartSchema).min(1).max(50).optional(),
})

/** A command that has to exit with 0 before an agent starts. Failures before `startMs` do not count. */
const healthcheckPartSchema = z.object({
  command: z.string().min(1).max(2000),
  intervalMs: waitSchema,
  timeoutMs: durationMsSchema,
  startMs: waitSchema,
  startIntervalMs: waitSchema,
  retries: z.number().int().positive(),
})
export type Healthcheck = z.infer<typeof healthcheckPartSchema>

/** One step of a task: the agent is started for each, in the same environment, and each is verified. */
const stepSchema = z.object({
  name: z.string().min(1).max(100),
  instruction: z.string().min(1).max(MAX_INSTRUCTION),
  agent: agentPartSchema,
  verifier: verifierPartSchema,
  healthcheck: healthcheckPartSchema.optional(),
  /** Rewards below which no further step is run; empty = none. */
  minRewards: z.record(z.string().max(200), z.number()),
})
export type HarborStep = z.infer<typeof stepSchema>

/**
 * One task in Harbor's format with its contract. `digest` covers every byte that decides a pass: instruction, environment,
 * tests, limits, network; not the solution.
 */
export const harborTaskSchema = z.object({
  kind: z.literal('harbor'),
  taskId: slugSchema,
  digest: digestSchema,
  title: z.string().min(1).max(200),
  category: z.string().min(1).max(60),
  difficulty: difficultySchema,
  instruction: z.string().min(1).max(MAX_INSTRUCTION),
  authors: z.array(z.string().max(300)).max(50),
  keywords: z.array(z.string().max(100)).max(100),
  place: placeSchema,
  /** The image to pull; null = built from its Dockerfile. */
  image: z.string().max(500).nullable(),
  env: envSchema,
  agent: agentPartSchema,
  verifier: verifierPartSchema,
  /** Absent = the environment is ready once its files are there. */
  healthcheck: healthcheckPartSchema.optional(),
  /** Its steps in order, whose agent and verifier replace those of the task; absent = it has none. */
  steps: z.array(stepSchema).min(1).max(MAX_STEPS).optional(),
  /** `mean` = every step has to be rewarded, `final` = the last one; absent = it has no steps. */
  stepReward: z.enum(['mean', 'final']).optional(),
  solutionEnv: envSchema,
  limits: z.object({
    buildMs: durationMsSchema,
    cpus: z.number().positive().nullable(),
    memoryMb: z.number().int().positive().nullable(),
    storageMb: z.number().int().positive().nullable(),
  }),
  /** Unsupported features of the format, a sentence each; the task can still be run. */
  notes: z.array(z.string().max(1000)).max(50),
  /** True if no proof shows that its verifier tells good work from none; absent = it is proven. */
  unproven: z.literal(true).optional(),
  released: releasedSchema.optional(),
  family: familySchema.optional(),
  expect: behavioursSchema.optional(),
})
export type HarborTask = z.infer<typeof harborTaskSchema>

/** Grading of a task in Harbor's format; shown with every grading. */
export const HARBOR_GRADING =
  'reward of the task’s own verifier, run on the final files in a fresh place; the solution can run in its process'
