import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Secret } from 'kubernetes-models/v1/Secret'
import type { kubernetesJob, kubernetesSecret } from '#lib/domain/executors/index.ts'

type JobBody = ReturnType<typeof kubernetesJob>
type SecretBody = ReturnType<typeof kubernetesSecret>
type Container = JobBody['spec']['template']['spec']['containers'][number]

type Pod = {
  index: number
  node: string
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  exitCode: number | null
  child: ChildProcess | null
  said: string
}
type StoredJob = {
  body: JobBody
  uid: string
  pods: Pod[]
  isDeleted: boolean
  ending: string | null
}

export type KubernetesStandIn = {
  url: string
  token: string
  jobs: Map<string, StoredJob>
  secrets: Map<string, SecretBody>
  requests: string[]
  /** Responses instead of the usual ones, each used once: a status and a text. */
  faults: { path: RegExp; status: number; text: string }[]
  /** Kills the running pod of an index, as a kernel does. */
  kill: (index: number) => void
  close: () => Promise<void>
}

type Options = {
  /** Fills a pod's folder as the image would. */
  prepare: (folder: string) => void
  /** False = pods stay Pending. */
  starts?: boolean
}

const TOKEN = 'stand-in-token'

/**
 * Implements the parts of Kubernetes' API for an Indexed Job, over real HTTP. Bodies are checked against the published
 * schema of batch/v1 and v1; indices are real processes with the environment of their pod; failed ones are retried as
 * `backoffLimitPerIndex` and `podFailurePolicy` say.
 */
export async function startKubernetes({
  prepare,
  starts = true,
}: Options): Promise<KubernetesStandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-kubernetes-'))
  const jobs = new Map<string, StoredJob>()
  const secrets = new Map<string, SecretBody>()
  const requests: string[] = []
  const faults: KubernetesStandIn['faults'] = []
  let pods = 0

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) =>
      send(response, 400, { message: error.message }),
    )
  })
  const timer = setInterval(() => {
    if (starts) for (const job of jobs.values()) step(job)
  }, 100)

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url.split('?')[0]}`)
    const body = await readBody(request)
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(response, 401, { message: 'Unauthorized' })
    const fault = faults.findIndex(({ path }) => path.test(`${method} ${url}`))
    if (fault !== -1) {
      const [{ status, text } = { status: 500, text: '' }] = faults.splice(fault, 1)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(text)
      return
    }
    route(request, body, response)
  }

  function route(
    { method = '', url = '' }: IncomingMessage,
    body: unknown,
    response: ServerResponse,
  ) {
    const [, kind, name] = /\/namespaces\/[^/]+\/(jobs|secrets|pods)(?:\/([^?]+))?/.exec(url) ?? []
    if (kind === 'pods')
      return send(response, 200, { items: [...jobs.values()].flatMap(describePods) })
    if (kind === 'jobs') return answerJob(method, name, body, response)
    if (kind === 'secrets') return answerSecret(method, name, body, response)
    send(response, 404, { message: 'not found' })
  }

  function createJob(body: unknown, response: ServerResponse) {
    new Job(body as object).validate()
    const job = body as JobBody
    if (jobs.has(job.metadata.name)) return send(response, 409, { message: 'already exists' })
    const uid = `uid-${job.metadata.name}`
    jobs.set(job.metadata.name, { body: job, uid, pods: [], isDeleted: false, ending: null })
    return send(response, 201, { ...job, metadata: { ...job.metadata, uid } })
  }

  function answerJob(
    method: string,
    name: string | undefined,
    body: unknown,
    response: ServerResponse,
  ) {
    if (method === 'POST') return createJob(body, response)
    const job = jobs.get(name ?? '')
    if (!job || job.isDeleted) return send(response, 404, { message: `jobs "${name}" not found` })
    if (method === 'DELETE') {
      job.isDeleted = true
      for (const { child } of job.pods) child?.kill('SIGTERM')
      // The job owns its Secret.
      secrets.delete(name ?? '')
      return send(response, 200, { status: 'Success' })
    }
    send(response, 200, describeJob(job))
  }

  function answerSecret(
    method: string,
    name: string | undefined,
    body: unknown,
    response: ServerResponse,
  ) {
    if (method === 'POST') {
      new Secret(body as object).validate()
      const secret = body as SecretBody
      secrets.set(secret.metadata.name, secret)
      return send(response, 201, secret)
    }
    if (!secrets.has(name ?? '')) return send(response, 404, { message: 'not found' })
    if (method === 'DELETE') secrets.delete(name ?? '')
    send(response, 200, { metadata: { name } })
  }

  /** Acts as the job controller: starts what is missing, counts what ended. */
  function step(job: StoredJob): void {
    const { completions, parallelism } = job.body.spec
    const active = job.pods.filter(({ phase }) => phase === 'Pending' || phase === 'Running').length
    if (job.isDeleted || !secrets.has(job.body.metadata.name)) return
    const open = Array.from({ length: completions }, (_, index) => index).filter((index) =>
      isOpen(job, index),
    )
    for (const index of open.slice(0, Math.max(0, parallelism - active)))
      job.pods.push(startPod(job, index))
    const isAllOver = Array.from({ length: completions }, (_, index) => endOf(job, index)).every(
      Boolean,
    )
    if (isAllOver && active === 0) job.ending ??= failedOf(job).length > 0 ? 'Failed' : 'Complete'
  }

  function isOpen(job: StoredJob, index: number): boolean {
    const own = job.pods.filter((pod) => pod.index === index)
    const isActive = own.some(({ phase }) => phase === 'Pending' || phase === 'Running')
    return !isActive && endOf(job, index) === null
  }

  function startPod(job: StoredJob, index: number): Pod {
    const [container] = job.body.spec.template.spec.containers
    if (!container) throw new Error('a pod has no container')
    const place = join(folder, `pod-${pods++}`)
    prepare(place)
    const inPod = (text: string) => text.replaceAll('/work', place)
    const pod: Pod = {
      index,
      node: `node-${pods % 3}`,
      phase: 'Running',
      exitCode: null,
      child: null,
      said: '',
    }
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      ...Object.fromEntries(container.env.map((one) => [one.name, inPod(readVariable(one, pod))])),
      JOB_COMPLETION_INDEX: String(index),
    }
    const args = ['runner/cli/proofboard.mjs', ...container.args.map(inPod)]
    const child = spawn(process.execPath, args, {
      env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    pod.child = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        pod.said += text
      })
    child.once('close', (code) => {
      pod.exitCode = code ?? 137
      pod.phase = code === 0 ? 'Succeeded' : 'Failed'
      pod.child = null
    })
    return pod
  }

  function readVariable(one: Container['env'][number], pod: Pod): string {
    if ('value' in one) return one.value
    if ('fieldRef' in one.valueFrom) return pod.node
    const { name, key } = one.valueFrom.secretKeyRef
    const value = (secrets.get(name)?.stringData as Record<string, string> | undefined)?.[key]
    if (value === undefined) throw new Error(`secret ${name} has no ${key}`)
    return value
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const running = () => [...jobs.values()].flatMap((job) => job.pods.filter(({ child }) => child))
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    jobs,
    secrets,
    requests,
    faults,
    kill: (index) => {
      for (const pod of running()) if (pod.index === index) pod.child?.kill('SIGKILL')
    },
    close: async () => {
      clearInterval(timer)
      for (const { child } of running()) child?.kill('SIGKILL')
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Null = not ended. */
function endOf({ pods, body }: StoredJob, index: number): 'done' | 'failed' | null {
  const own = pods.filter((pod) => pod.index === index)
  if (own.some(({ phase }) => phase === 'Succeeded')) return 'done'
  const failed = own.filter(({ phase }) => phase === 'Failed')
  const isFinal = failed.some(({ exitCode }) => exitCode === 2)
  return isFinal || failed.length > body.spec.backoffLimitPerIndex ? 'failed' : null
}

function failedOf(job: StoredJob): number[] {
  return indexesOf(job, 'failed')
}

function indexesOf(job: StoredJob, end: 'done' | 'failed'): number[] {
  const all = Array.from({ length: job.body.spec.completions }, (_, index) => index)
  return all.filter((index) => endOf(job, index) === end)
}

function describeJob(job: StoredJob) {
  const { ending, uid, body } = job
  return {
    ...body,
    metadata: { ...body.metadata, uid },
    status: {
      completedIndexes: indexesOf(job, 'done').join(','),
      failedIndexes: indexesOf(job, 'failed').join(','),
      ...(ending && { conditions: [{ type: ending, status: 'True', reason: ending }] }),
    },
  }
}

function describePods({ pods }: StoredJob) {
  return pods.map(({ index, node, phase, exitCode }) => ({
    metadata: { annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } },
    spec: { nodeName: node },
    status: {
      phase,
      containerStatuses: [
        {
          state:
            exitCode === null
              ? { running: {} }
              : { terminated: { exitCode, reason: exitCode === 137 ? 'OOMKilled' : 'Error' } },
        },
      ],
    },
  }))
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? null : JSON.parse(text)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
