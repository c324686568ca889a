import { z } from 'zod'
import { type Digest, digestJson } from '../../digest/index.ts'
import { formatIssues, type ParseResult, type Problem } from '../../text/index.ts'

const text = z.string().min(1).max(1000)
const loose = z.record(z.string(), z.unknown()).nullish()

const agentSchema = z.looseObject({
  name: text.nullish(),
  import_path: text.nullish(),
  model_name: text.nullish(),
  kwargs: loose,
  env: loose,
})

/** `config.json` of a Harbor job. */
const jobConfigSchema = z.looseObject({
  job_name: text.nullish(),
  n_attempts: z.number().int().positive().nullish(),
  agents: z.array(agentSchema).nullish(),
  environment: z.looseObject({ type: text.nullish() }).nullish(),
  retry: z.looseObject({ max_retries: z.number().nullish() }).nullish(),
})
type JobConfig = z.infer<typeof jobConfigSchema>

/** Digests of the members of a job's configuration that can change a result, by name. */
export type JobTerms = Readonly<Record<string, Digest>>

export type ReadJob = {
  jobName: string | null
  attempts: number
  agent: { name: string; version: string | null; provider: string | null; model: string | null }
  terms: JobTerms
}

/**
 * Reads the configuration of a job that may be put in escrow. Refuses what shows the agent something else than the task,
 * judges it in another way, or chooses among attempts.
 */
export function readJobTerms(input: unknown): ParseResult<ReadJob> {
  const parsed = jobConfigSchema.safeParse(input)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const config = parsed.data
  const refusal = refuseJob(config)
  if (refusal !== null) return { ok: false, problems: [refusal] }
  const { job_name: jobName = null, n_attempts: attempts } = config
  const [agent = {}] = config.agents ?? []
  const value = {
    jobName,
    attempts: attempts ?? 1,
    agent: readAgent(agent),
    terms: termsOf(config),
  }
  return { ok: true, value }
}

/** A model's name begins with its provider: `anthropic/claude-sonnet-5`. */
function readAgent({ name, model_name: full, kwargs }: z.infer<typeof agentSchema>) {
  const [provider = '', ...rest] = (full ?? '').split('/')
  const { version } = kwargs ?? {}
  return {
    name: name ?? '',
    version: typeof version === 'string' ? version : null,
    provider: rest.length > 0 ? provider : null,
    model: rest.length > 0 ? rest.join('/') : (full ?? null),
  }
}

/** Harbor's own agents that run the solution, or nothing. */
const CONTROLS: ReadonlySet<string> = new Set(['oracle', 'nop'])
/** Names of settings that send model calls to another address, where the model is unknown. */
const ADDRESS = /(base_?url|api_?base|endpoint|proxy)$/i
/** Members that must be absent or empty, as paths. */
const REFUSED = [
  'agents.0.import_path',
  'agents.0.skills',
  'agents.0.mcp_servers',
  'environment.import_path',
  'environment.mounts',
  'environment.mounts_json',
  'environment.extra_docker_compose',
  'verifier.disable',
  'verifier.import_path',
  'verifier.env',
  'extra_instruction_paths',
  'multi_step_start_step',
  'multi_step_end_step',
]

function refuseJob(config: JobConfig): Problem | null {
  const [agent, ...more] = config.agents ?? []
  if (agent === undefined || more.length > 0)
    return { path: 'agents', message: 'must be one agent: register a job for each' }
  const { type } = config.environment ?? {}
  if (type && type !== 'docker') return { path: 'environment.type', message: 'must be docker' }
  if ((config.retry?.max_retries ?? 0) > 0)
    return { path: 'retry.max_retries', message: 'must be 0: an attempt is made once' }
  const given = REFUSED.find((path) => simplify(memberOf(config, path)) !== undefined)
  return given === undefined ? refuseAgent(agent) : { path: given, message: 'must not be set' }
}

function refuseAgent(agent: z.infer<typeof agentSchema>): Problem | null {
  const { name, model_name: model, env, kwargs } = agent
  if (!name || CONTROLS.has(name))
    return { path: 'agents.0.name', message: 'must be an agent, not a control' }
  if (!model) return { path: 'agents.0.model_name', message: 'must name the model' }
  const set = [...Object.keys(env ?? {}), ...Object.keys(kwargs ?? {})]
  const address = set.find((key) => ADDRESS.test(key))
  if (address === undefined) return null
  return { path: 'agents.0', message: `must not set ${address.slice(0, 80)}` }
}

function memberOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at !== 'object' || at === null) return undefined
    return Object.getOwnPropertyDescriptor(at, key)?.value
  }, value)
}

/** Members that change where and how fast a job runs, or that its folder shows elsewhere. */
const FREE: ReadonlySet<string> = new Set([
  ...['job_name', 'jobs_dir', 'debug', 'quiet', 'n_concurrent_trials', 'orchestrator', 'metrics'],
  ...['datasets', 'tasks', 'n_attempts', 'retry'],
])
/** Harbor writes all defaults into the configuration of a job, which the sender's file may leave out. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  timeout_multiplier: 1,
  type: 'docker',
  delete: true,
}

function termsOf(config: JobConfig): JobTerms {
  const terms = Object.entries(config).flatMap(([name, value]) => {
    const simple = FREE.has(name) ? undefined : simplify(value, name)
    return simple === undefined ? [] : [[name, digestJson(simple)] as const]
  })
  return Object.fromEntries(terms)
}

/** Leaves out what says nothing: null, false, empty lists and objects, defaults. Undefined = nothing is left. */
function simplify(value: unknown, name = ''): unknown {
  if (value === null || value === false || value === undefined) return undefined
  if (Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value) return undefined
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one) => simplify(one) ?? null)
  if (typeof value !== 'object') return value
  const members = Object.entries(value).flatMap(([key, own]) => {
    const simple = simplify(own, key)
    return simple === undefined ? [] : [[key, simple] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** Names the first member on which two jobs differ; null = none. */
export function findOtherTerm(planned: JobTerms, given: JobTerms): string | null {
  const names = [...new Set([...Object.keys(planned), ...Object.keys(given)])].sort()
  return names.find((name) => planned[name] !== given[name]) ?? null
}
