import { z } from 'zod'
import { isTimeZone } from '../text/index.ts'
import { MAX_STEPS } from './harbor-task.ts'

const MAX_SECONDS = 7 * 24 * 3600

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

const wait = z.number().nonnegative().max(MAX_SECONDS)

const healthcheckSchema = z.looseObject({
  command: text.min(1),
  interval_sec: wait.default(5),
  timeout_sec: seconds.default(30),
  start_period_sec: wait.default(0),
  start_interval_sec: wait.default(5),
  retries: z.number().int().positive().max(1000).default(3),
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
    .regex(/^\/[\w./-]*$/, 'must be an absolute path of Linux')
    .refine((path) => !path.split('/').includes('..'), 'must not contain ".."')
    .optional(),
})

/** A command that is run after the agent, in a service of the task, before artifacts are taken. */
const collectSchema = z.looseObject({
  command: text.min(1),
  service: z.string().min(1).max(100).default('main'),
  timeout_sec: seconds.default(60),
  user,
})

const verifierSchema = z.looseObject({
  timeout_sec: seconds.default(DEFAULT_SECONDS),
  env: variables,
  user,
  ...policy,
  environment_mode: z.enum(['shared', 'separate']).optional(),
  environment: z.looseObject({ docker_image: imageName.optional() }).optional(),
  collect: z.array(collectSchema).max(50).optional(),
})
const agentSchema = z.looseObject({ timeout_sec: seconds.optional(), user, ...policy })

const stepFileSchema = z.looseObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][\w.-]{0,99}$/i,
      'must be the name of a folder of letters, digits, dots and dashes',
    ),
  agent: agentSchema.prefault({}),
  verifier: verifierSchema.extend({ timeout_sec: seconds.optional() }).prefault({}),
  min_reward: z.union([z.number(), z.record(z.string().max(200), z.number())]).optional(),
  healthcheck: healthcheckSchema.optional(),
  artifacts: z.array(z.unknown()).optional(),
})

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
  steps: z.array(stepFileSchema).max(MAX_STEPS).default([]),
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
    ...listHealthchecks(file).flatMap(([path, one]) => known(one, healthcheckSchema, `${path}.`)),
    ...file.steps.flatMap((step, at) => [
      ...known(step, stepFileSchema, `steps.${at}.`),
      ...known(step.agent, agentSchema, `steps.${at}.agent.`),
      ...known(step.verifier, verifierSchema, `steps.${at}.verifier.`),
    ]),
    ...known(file.solution, { shape: { env: true } }, 'solution.'),
  ]
}

function listHealthchecks({ environment, steps }: HarborFile) {
  const own = [['environment.healthcheck', environment.healthcheck] as const]
  const all = [
    ...own,
    ...steps.map((step, at) => [`steps.${at}.healthcheck`, step.healthcheck] as const),
  ]
  return all.flatMap(([path, one]) => (one === undefined ? [] : [[path, one] as const]))
}
