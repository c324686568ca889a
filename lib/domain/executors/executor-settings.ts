import { z } from 'zod'
import { formatIssues, isLoopback, type ParseResult } from '../text/index.ts'

/** Engines that can run on other machines. */
export const EXECUTORS = ['kubernetes', 'slurm', 'github'] as const
export type ExecutorName = (typeof EXECUTORS)[number]

export const EXECUTOR_TITLES: Record<ExecutorName, string> = {
  kubernetes: 'Kubernetes',
  slurm: 'Slurm',
  github: 'GitHub Actions',
}

/** The maximum number of jobs in a GitHub matrix. */
export const MAX_REMOTE_SHARDS = 256

const DNS_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const dnsName = z.string().regex(DNS_NAME, 'is not a Kubernetes name')
const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/, 'is not an amount such as 500m, 2 or 4Gi')
const variable = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'is not the name of an environment variable')
  // Reserved: a shard's own variables.
  .refine((name) => !/^(PROOFBOARD_RUN_|SLURM_|JOB_COMPLETION_)/.test(name), 'is set by Proofboard')
const url = z
  .url({ protocol: /^https?$/, error: 'is not an address such as https://board.example' })
  .transform((text) => text.replace(/\/+$/, ''))
/** No line breaks: the value becomes part of a script line. */
const word = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:+@,=/-]{0,199}$/, 'is not one plain word')
const absolute = z.string().regex(/^\/[^\p{Cc}'"\\$`]{0,400}$/u, 'is not an absolute path')

const shared = {
  /** Shards of one run, unless the launch sets another number. */
  shards: z.number().int().min(1).max(MAX_REMOTE_SHARDS).default(8),
  /** Number of times that the engine retries a failed shard. */
  retries: z.number().int().min(0).max(10).default(3),
  /** Hours until the engine ends a run that has not finished, and until its token expires. */
  hours: z.number().int().min(1).max(720).default(24),
  /** Seconds between two polls of the engine. */
  poll: z.number().min(0.2).max(300).default(5),
}

const kubernetesSchema = z.strictObject({
  ...shared,
  /** A kubeconfig file; absent = the token and certificate of the pod (in-cluster). */
  kubeconfig: absolute.optional(),
  context: z.string().min(1).max(300).optional(),
  namespace: dnsName.default('default'),
  /** The server's image, by digest if the results are to be ranked. */
  image: z.string().regex(/^[a-z0-9][A-Za-z0-9._:/@-]{1,300}$/, 'is not the name of an image'),
  imagePullSecrets: z.array(dnsName).max(10).default([]),
  serviceAccount: dnsName.optional(),
  /** Concurrent pods; absent = all shards. */
  parallelism: z.number().int().min(1).max(MAX_REMOTE_SHARDS).optional(),
  resources: z
    .strictObject({ cpu: quantity.default('2'), memory: quantity.default('4Gi') })
    .default({ cpu: '2', memory: '4Gi' }),
  /** Disk space that the pod may write: /work and /tmp together. */
  disk: quantity.default('10Gi'),
  user: z.number().int().min(1).max(65_535).default(1000),
  /** `Unconfined` lets bubblewrap create user namespaces, if the cluster's policy allows it. */
  seccomp: z.enum(['RuntimeDefault', 'Unconfined']).default('RuntimeDefault'),
  nodeSelector: z.record(z.string().max(317), z.string().max(63)).default({}),
  /** Minutes that Kubernetes keeps a finished job with its logs. */
  keepMinutes: z.number().int().min(1).max(100_000).default(60),
  /** Keys of model providers by Secret reference: their values never pass through this server. */
  secrets: z
    .array(z.strictObject({ variable, secret: dnsName, key: word }))
    .max(50)
    .default([]),
})

const slurmSchema = z.strictObject({
  ...shared,
  /** A folder shared by all nodes: scripts, logs and the run folders of shards. */
  folder: absolute,
  /** Command that starts Proofboard on a node, word by word; absent = this clone with this node. */
  command: z.array(absolute.or(word)).min(1).max(20).optional(),
  partition: word.optional(),
  account: word.optional(),
  qos: word.optional(),
  cpus: z.number().int().min(1).max(1024).default(2),
  memory: word.default('4G'),
  /** Concurrent tasks of the array; absent = all shards. */
  parallelism: z.number().int().min(1).max(MAX_REMOTE_SHARDS).optional(),
  /** Keys of model providers, each the first line of a file that the nodes can read. */
  secrets: z
    .array(z.strictObject({ variable, file: absolute }))
    .max(50)
    .default([]),
})

/** Shards authenticate as the workflow that they run in, so neither side stores a secret of the other. */
const githubSchema = z.strictObject({
  ...shared,
  /** Each request counts against the token's limit of 5,000 per hour. */
  poll: shared.poll.unwrap().default(15),
  repository: z.string().regex(/^[A-Za-z0-9-]{1,39}\/[\w.-]{1,100}$/, 'is not owner/name'),
  /** File name below .github/workflows. */
  workflow: z
    .string()
    .regex(/^[\w-]{1,100}\.ya?ml$/, 'is not a file such as launch.yml')
    .default('launch.yml'),
  /** Branch or tag whose code the shards run. */
  ref: z
    .string()
    .regex(/^[\w.-][\w./-]{0,199}$/, 'is not a branch or tag')
    .default('main'),
  /** The worker's environment variable with a token that can read and write Actions. */
  token: z
    .string()
    // Not the key of a model provider, as GITHUB_TOKEN is one; variables of this name are hidden from other programs.
    .regex(
      /^PROOFBOARD_([A-Z0-9_]{1,80}_)?TOKEN$/,
      'is not a variable such as PROOFBOARD_GITHUB_TOKEN',
    )
    .default('PROOFBOARD_GITHUB_TOKEN'),
  /** API address of a self-hosted GitHub. */
  api: z
    .url({ protocol: /^https?$/, error: 'is not an address such as https://api.github.com' })
    .refine(
      (text) => text.startsWith('https:') || isLoopback(text),
      'must be https, because the token would be sent unencrypted',
    )
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://api.github.com'),
  /** Concurrent jobs; absent = all shards. */
  parallelism: z.number().int().min(1).max(MAX_REMOTE_SHARDS).optional(),
  /** Seconds until a started workflow has to appear. */
  appear: z.number().min(1).max(600).default(60),
})

const executorsSchema = z.strictObject({
  schemaVersion: z.literal(1, 'is not 1'),
  /** Address that shards report to; absent = the public address of this server. */
  url: url.optional(),
  kubernetes: kubernetesSchema.optional(),
  slurm: slurmSchema.optional(),
  github: githubSchema.optional(),
})

/** `executors.yaml`: the engines of this server, each with its settings. */
export type Executors = z.infer<typeof executorsSchema>
export type KubernetesSettings = z.infer<typeof kubernetesSchema>
export type SlurmSettings = z.infer<typeof slurmSchema>
export type GithubSettings = z.infer<typeof githubSchema>

/** Reads the value of an `executors.yaml`; every problem names its field. */
export function parseExecutors(input: unknown): ParseResult<Executors> {
  const parsed = executorsSchema.safeParse(input)
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, problems: formatIssues(parsed.error.issues) }
}

/** The engines that can be chosen, in a fixed order. */
export function configuredExecutors(executors: Executors): ExecutorName[] {
  return EXECUTORS.filter((name) => executors[name] !== undefined)
}
