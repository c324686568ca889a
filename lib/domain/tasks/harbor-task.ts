import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { difficultySchema, durationMsSchema, releasedSchema, slugSchema } from '../record/index.ts'
import { isTimeZone } from '../text/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { familySchema } from './family.ts'

const MAX_SECONDS = 7 * 24 * 3600
/** Maximum characters of an instruction. */
const MAX_INSTRUCTION = 200_000

/** Environment variables by name, as visible to the task's parts. */
const envSchema = z.record(z.string(), z.string())

const networkSchema = z.enum(['off', 'on'])

/**
 * Execution environment of a task: `files` = a folder, filled by the COPY lines of its Dockerfile; `image` = its
 * container image, with the reason why the files alone are not enough.
 */
const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('files'), workdir: z.string(), from: z.string() }),
  z.object({ kind: z.literal('image'), workdir: z.string().nullable(), why: z.string().max(500) }),
])

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
  agent: z.object({
    timeoutMs: durationMsSchema.nullable(),
    user: z.string().nullable(),
    network: networkSchema,
  }),
  verifier: z.object({
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
      })
      .optional(),
  }),
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

// The parts of task.toml.

const seconds = z.number().positive().max(MAX_SECONDS)
const text = z.string().max(2000)
const hosts = z.array(z.string().min(1).max(300)).max(1000)
const imageName = z.string().regex(/^[a-z0-9][\w./:@-]{0,499}$/i, 'is not the name of an image')
const network = { network_mode: z.enum(['public', 'no-network', 'allowlist']).optional() }
const policy = { ...network, allowed_hosts: hosts.optional() }
const user = z.union([z.string().min(1).max(100), z.number().int().nonnegative()]).optional()
const variables = z
  .record(z.string(), z.string().max(8000))
  .refine(
    (env) => Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name)),
    'has a name that is none of a variable',
  )
  .refine(
    ({ TZ }) => TZ === undefined || isTimeZone(TZ),
    'has a TZ that is not a time zone: use a name such as "Europe/Berlin"',
  )
  .default({})
const megabytes = z
  .number()
  .int()
  .positive()
  .max(2 ** 30)
const size = z
  .string()
  .regex(/^\s*\d+(\.\d+)?\s*[KMG]\s*$/i, 'must be a size such as "512M" or "2G"')

const healthcheckSchema = z.looseObject({
  command: text.min(1),
  interval_sec: z.number().nonnegative().optional(),
  timeout_sec: z.number().nonnegative().optional(),
  start_period_sec: z.number().nonnegative().optional(),
  start_interval_sec: z.number().nonnegative().optional(),
  retries: z.number().int().nonnegative().optional(),
})

const mcpServerSchema = z.looseObject({
  name: text.min(1),
  transport: z.enum(['stdio', 'sse', 'streamable-http', 'http']).default('sse'),
  url: text.optional(),
  command: text.optional(),
  args: z.array(text).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
})

const DEFAULT_SECONDS = 600

const environmentSchema = z.looseObject({
  build_timeout_sec: seconds.default(DEFAULT_SECONDS),
  docker_image: imageName.optional(),
  os: z.string().max(50).optional(),
  cpus: z.number().positive().max(1024).optional(),
  memory_mb: megabytes.optional(),
  storage_mb: megabytes.optional(),
  memory: size.optional(),
  storage: size.optional(),
  gpus: z.number().int().nonnegative().max(1024).optional(),
  gpu_types: z.array(text).optional(),
  tpu: z.looseObject({}).optional(),
  allow_internet: z.boolean().optional(),
  ...policy,
  mcp_servers: z.array(mcpServerSchema).max(50).default([]),
  env: variables,
  skills_dir: text.optional(),
  healthcheck: healthcheckSchema.optional(),
  workdir: z
    .string()
    .regex(/^\/[\w./-]*$/, 'must be an absolute path')
    .refine((path) => !path.split('/').includes('..'), 'must not contain ".."')
    .optional(),
})

const verifierSchema = z.looseObject({
  timeout_sec: seconds.default(DEFAULT_SECONDS),
  env: variables,
  user,
  ...policy,
  environment_mode: z.enum(['shared', 'separate']).optional(),
  environment: z.looseObject({ docker_image: imageName.optional() }).optional(),
  collect: z.array(z.looseObject({})).optional(),
})
const agentSchema = z.looseObject({ timeout_sec: seconds.optional(), user, ...policy })

const authorSchema = z.looseObject({ name: text.min(1), email: text.optional() })
const packageSchema = z.looseObject({
  /** `<organisation>/<name>`; only used as a title, so a plain name is accepted too. */
  name: text.min(1),
  version: text.optional(),
  description: text.optional(),
  authors: z.array(authorSchema).max(50).default([]),
  keywords: z.array(text).max(100).default([]),
})

/** `task.toml` as its author writes it; unknown members are preserved, because the format grows. */
export const harborFileSchema = z.looseObject({
  version: text.optional(),
  schema_version: text.optional(),
  task: packageSchema.optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  verifier: verifierSchema.prefault({}),
  agent: agentSchema.prefault({}),
  environment: environmentSchema.prefault({}),
  solution: z.looseObject({ env: variables }).prefault({}),
  source: z.string().optional(),
  artifacts: z.array(z.unknown()).optional(),
  steps: z.array(z.looseObject({ name: text.min(1) })).optional(),
  multi_step_reward_strategy: z.enum(['mean', 'final']).optional(),
})
export type HarborFile = z.infer<typeof harborFileSchema>

/** Lists unknown members of a `task.toml` as dotted paths. */
export function findUnknownMembers(file: HarborFile): string[] {
  const known = (value: object, schema: { shape: object }, path: string) =>
    Object.keys(value)
      .filter((name) => !(name in schema.shape))
      .map((name) => `${path}${name}`)
  return [
    ...known(file, harborFileSchema, ''),
    ...(file.task ? known(file.task, packageSchema, 'task.') : []),
    ...known(file.verifier, verifierSchema, 'verifier.'),
    ...known(file.agent, agentSchema, 'agent.'),
    ...known(file.environment, environmentSchema, 'environment.'),
    ...known(file.solution, { shape: { env: true } }, 'solution.'),
  ]
}
