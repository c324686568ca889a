import { z } from 'zod'
import {
  engineName,
  type KubernetesSettings,
  kubernetesJob,
  kubernetesSecret,
  type RemoteManifest,
} from '../../domain/executors/index.ts'
import {
  askEngine,
  type Engine,
  EngineFailure,
  type EngineLook,
  type EngineShard,
  readAnswer,
} from './engine.ts'
import { readAccess } from './kubernetes-access.ts'

const NAME = 'Kubernetes'

/** Runs a run as an Indexed Job, by Kubernetes' API. */
export function kubernetesEngine(manifest: RemoteManifest, settings: KubernetesSettings): Engine {
  const { namespace } = settings
  const name = engineName(manifest)
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const secrets = `/api/v1/namespaces/${namespace}/secrets`
  const pods = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(`batch.kubernetes.io/job-name=${name}`)}&limit=5000`
  const ask = (method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string, body?: unknown) => {
    const { server, token, tls } = readAccess(settings)
    const headers: Record<string, string> =
      token === null ? {} : { authorization: `Bearer ${token}` }
    const url = new URL(`${server}${path}`)
    return askEngine({ name: NAME, method, url, headers, tls, ...(body !== undefined && { body }) })
  }
  const findJob = async () => {
    const response = await ask('GET', `${jobs}/${name}`)
    return response.status === 404 ? null : readAnswer(NAME, response, jobSchema)
  }
  const hasSecret = async () => {
    const response = await ask('GET', `${secrets}/${name}`)
    if (response.status === 404) return false
    readAnswer(NAME, response, z.object({ metadata: z.object({ name: z.string() }) }))
    return true
  }
  return {
    find: async () => {
      const job = await findJob()
      return job && { engineId: name, engineUrl: null, hasToken: await hasSecret() }
    },
    start: async (token) => {
      const job =
        (await findJob()) ??
        readAnswer(NAME, await ask('POST', jobs, kubernetesJob(manifest, settings)), jobSchema)
      // Pods wait for their Secret, which is created second because the job owns it.
      const secret = kubernetesSecret(manifest, settings, { token, jobUid: job.metadata.uid })
      readAnswer(NAME, await ask('POST', secrets, secret), z.object({ metadata: z.unknown() }))
      return { engineId: name, engineUrl: null }
    },
    look: async () => {
      const job = await findJob()
      const list = readAnswer(NAME, await ask('GET', pods), podsSchema)
      return describe(job, list.items, manifest.shards)
    },
    cancel: async () => {
      const response = await ask('DELETE', `${jobs}/${name}?propagationPolicy=Background`)
      if (response.status !== 404) readAnswer(NAME, response, z.unknown())
    },
    clean: async () => {
      const response = await ask('DELETE', `${secrets}/${name}`)
      if (response.status !== 404) readAnswer(NAME, response, z.unknown())
    },
  }
}

const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
})

const jobSchema = z.object({
  metadata: z.object({ uid: z.string().min(1) }),
  status: z
    .object({
      completedIndexes: z.string().optional(),
      failedIndexes: z.string().nullish(),
      conditions: z.array(conditionSchema).nullish(),
    })
    .default({}),
})

const stateSchema = z.object({
  waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  terminated: z.object({ exitCode: z.number(), reason: z.string().optional() }).optional(),
})

const podSchema = z.object({
  metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.object({ nodeName: z.string().optional() }).default({}),
  status: z
    .object({
      phase: z.string().default('Unknown'),
      reason: z.string().optional(),
      containerStatuses: z.array(z.object({ state: stateSchema.default({}) })).nullish(),
      conditions: z.array(conditionSchema).nullish(),
    })
    .default({ phase: 'Unknown' }),
})
const podsSchema = z.object({ items: z.array(podSchema) })

type Pod = z.infer<typeof podSchema>

function describe(
  job: z.infer<typeof jobSchema> | null,
  pods: readonly Pod[],
  shards: number,
): EngineLook {
  const completed = readIndexes(job?.status.completedIndexes)
  const failed = readIndexes(job?.status.failedIndexes)
  const isOpen = pods.some(({ status: { phase } }) => phase === 'Pending' || phase === 'Running')
  const end = job === null ? GONE : findEnd(job)
  return {
    isOver: !isOpen && end !== null,
    reason: end?.reason ?? null,
    shards: Array.from({ length: shards }, (_, index) => {
      const own = pods.filter((pod) => indexOf(pod) === index)
      const ended = completed.has(index) ? 'done' : failed.has(index) ? 'given-up' : null
      return describeShard(index + 1, own, ended)
    }),
  }
}

const GONE = { reason: 'the job is no longer in Kubernetes' }

function findEnd({ status }: z.infer<typeof jobSchema>): { reason: string | null } | null {
  const holding = (status.conditions ?? []).filter((one) => one.status === 'True')
  const failed = holding.find(({ type }) => type === 'Failed')
  if (failed) return { reason: failed.message ?? failed.reason ?? null }
  return holding.some(({ type }) => type === 'Complete') ? { reason: null } : null
}

function describeShard(
  number: number,
  pods: readonly Pod[],
  ended: 'done' | 'given-up' | null,
): EngineShard {
  const running = pods.find(({ status }) => status.phase === 'Running')
  const last = running ?? pods.at(-1)
  const host = last?.spec.nodeName ?? null
  const hasFailed = pods.length > 0 && pods.every(({ status }) => status.phase === 'Failed')
  const state = ended ?? (running ? 'running' : hasFailed ? 'failed' : 'waiting')
  return { number, state, host, reason: last && state !== 'done' ? reasonOf(last) : null }
}

function reasonOf({ status }: Pod): string | null {
  const { waiting, terminated } = status.containerStatuses?.[0]?.state ?? {}
  if (terminated) return describeExit(terminated)
  if (waiting?.reason && waiting.reason !== 'ContainerCreating')
    return [waiting.reason, waiting.message].filter(Boolean).join(': ')
  const unscheduled = status.conditions?.find(
    ({ type, status: holds }) => type === 'PodScheduled' && holds === 'False',
  )
  return unscheduled?.message ?? status.reason ?? null
}

function describeExit({ exitCode, reason }: { exitCode: number; reason?: string | undefined }) {
  if (exitCode === 0) return null
  return `ended with exit code ${exitCode}${reason ? ` (${reason})` : ''}`
}

function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations['batch.kubernetes.io/job-completion-index'] ?? Number.NaN)
}

/** `1,3-5`: 1, 3, 4 and 5. */
function readIndexes(text: string | null | undefined): ReadonlySet<number> {
  const found = new Set<number>()
  for (const part of (text ?? '').split(',').filter(Boolean)) {
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
    if (from === '')
      throw new EngineFailure(`${NAME} gave an answer that makes no sense: indexes ${part}`)
    for (let index = Number(from); index <= Number(to); index++) found.add(index)
  }
  return found
}
