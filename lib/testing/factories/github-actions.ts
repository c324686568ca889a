import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const TOKEN = 'ghp_stand_in'
const FIRST_RUN = 9001
const COMMAND = resolve('runner/cli/proofboard.mjs')

type PlayedJob = {
  shard: number
  attempt: number
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: 'success' | 'failure' | 'cancelled' | null
  child: ChildProcess | null
  said: string
}
type PlayedRun = {
  id: number
  title: string
  manifest: Manifest
  attempt: number
  isCancelled: boolean
  jobs: PlayedJob[]
}

export type GithubActionsStandIn = {
  url: string
  token: string
  runs: PlayedRun[]
  requests: string[]
  /** Responses instead of the usual ones, each used once: a status and a text. */
  faults: { path: RegExp; status: number; text: string }[]
  /** Kills the processes of a shard's running job, as when its machine fails. */
  kill: (shard: number) => void
  close: () => Promise<void>
}

type Options = {
  repository: string
  /** Fills a job's folder as a checkout would. */
  prepare: (folder: string) => void
  /** The environment in which a job of this run can request its identity. */
  identityEnv: (runId: number) => Record<string, string>
  /** False = a dispatched run never appears. */
  appears?: boolean
}

const dispatchSchema = z.strictObject({
  ref: z.literal('main'),
  inputs: z.strictObject({ manifest: z.string().max(65_535) }),
})
/** The manifest's fields that `launch.yml` reads. */
const manifestSchema = z.object({
  name: z.string(),
  url: z.string(),
  runId: z.string(),
  shards: z.array(z.number()),
  parallelism: z.number(),
})
type Manifest = z.infer<typeof manifestSchema>

/**
 * Implements the parts of GitHub's API that start and follow `launch.yml`, over real HTTP. Each job of its matrix is a
 * real `proofboard work` with the arguments of the workflow's last step.
 */
export async function startGithubActions({
  repository,
  prepare,
  identityEnv,
  appears = true,
}: Options): Promise<GithubActionsStandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-actions-'))
  const runs: PlayedRun[] = []
  const requests: string[] = []
  const faults: GithubActionsStandIn['faults'] = []
  const root = `/repos/${repository}/actions`

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) =>
      send(response, 422, { message: error.message }),
    )
  })
  const timer = setInterval(() => {
    for (const run of runs) step(run)
  }, 100)

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request
    const path = new URL(url, 'http://x').pathname
    requests.push(`${method} ${path}`)
    const body = await readBody(request)
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(response, 401, { message: 'Bad credentials' })
    const fault = faults.findIndex((one) => one.path.test(`${method} ${path}`))
    if (fault !== -1) {
      const [{ status, text } = { status: 500, text: '' }] = faults.splice(fault, 1)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
      return
    }
    if (!path.startsWith(`${root}/`)) return send(response, 404, { message: 'Not Found' })
    route(`${method} ${path.slice(root.length)}`, body, response)
  }

  function route(requested: string, body: unknown, response: ServerResponse) {
    if (requested === 'POST /workflows/launch.yml/dispatches') {
      dispatch(body)
      return send(response, 204)
    }
    if (requested === 'GET /workflows/launch.yml/runs') {
      const all = appears ? runs.map(describeRun).reverse() : []
      return send(response, 200, { total_count: all.length, workflow_runs: all })
    }
    const [, way, id, action = ''] = /^(\w+) \/runs\/(\d+)(?:\/([\w-]+))?$/.exec(requested) ?? []
    const run = runs.find((one) => String(one.id) === id)
    const answered = run && ANSWERS[`${way} ${action}`.trim()]?.(run)
    if (!answered) return send(response, 404, { message: 'Not Found' })
    send(response, answered.status, answered.body)
  }

  function dispatch(body: unknown): void {
    const { inputs } = dispatchSchema.parse(body)
    const manifest = manifestSchema.parse(JSON.parse(inputs.manifest))
    const title = `launch ${manifest.name}`
    const jobs = manifest.shards.map((shard) => freshJob(shard, 1))
    const id = FIRST_RUN + runs.length
    runs.push({ id, title, manifest, attempt: 1, isCancelled: false, jobs })
  }

  function step(run: PlayedRun): void {
    // Its concurrency group has the same name as its title.
    const isFirst = runs.find((one) => one.title === run.title && !isOver(one)) === run
    if (!isFirst || run.isCancelled) return
    const active = run.jobs.filter(({ status }) => status === 'in_progress').length
    const waiting = run.jobs.filter(({ status }) => status === 'queued')
    for (const job of waiting.slice(0, Math.max(0, run.manifest.parallelism - active)))
      startJob(run, job)
  }

  function startJob(run: PlayedRun, job: PlayedJob): void {
    const place = join(folder, `${run.id}-${job.shard}-${job.attempt}`)
    prepare(place)
    const { url, runId } = run.manifest
    const work = ['work', `--server=${url}`, `--run-id=${runId}`, `--shard=${job.shard}`]
    job.status = 'in_progress'
    const child = spawn(process.execPath, [COMMAND, ...work, '--out', 'run'], {
      cwd: place,
      detached: true,
      env: {
        PATH: process.env.PATH,
        PROOFBOARD_HOST: `GitHub Actions ${job.shard}`,
        HOME: place,
        PROOFBOARD_DATA_DIR: join(place, 'data'),
        GITHUB_ACTIONS: 'true',
        ...identityEnv(run.id),
      } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    job.child = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        job.said += text
      })
    child.once('close', (code) => {
      const ended = code === 0 ? 'success' : 'failure'
      Object.assign(job, { status: 'completed', child: null })
      job.conclusion = run.isCancelled ? 'cancelled' : ended
    })
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    runs,
    requests,
    faults,
    kill: (shard) => {
      for (const job of runs.flatMap(({ jobs }) => jobs))
        if (job.shard === shard) signal(job, 'SIGKILL')
    },
    close: async () => {
      clearInterval(timer)
      for (const job of runs.flatMap(({ jobs }) => jobs)) signal(job, 'SIGKILL')
      await new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function freshJob(shard: number, attempt: number): PlayedJob {
  return { shard, attempt, status: 'queued', conclusion: null, child: null, said: '' }
}

function isOver({ jobs }: PlayedRun): boolean {
  return jobs.every(({ status }) => status === 'completed')
}

function describeRun(run: PlayedRun) {
  const { id, title, attempt, jobs } = run
  const isEnded = isOver(run)
  const bad = jobs.find(({ conclusion }) => conclusion !== 'success')
  return {
    id,
    display_title: title,
    name: 'launch',
    event: 'workflow_dispatch',
    status: isEnded ? 'completed' : 'in_progress',
    conclusion: isEnded ? (bad?.conclusion ?? 'success') : null,
    run_attempt: attempt,
    created_at: new Date().toISOString().replace(/\.\d+/, ''),
    html_url: `https://github.example/acme/bench/actions/runs/${id}`,
  }
}

function describeJob({ shard, status, conclusion, attempt }: PlayedJob) {
  const runner_name = status === 'queued' ? null : `GitHub Actions ${shard}`
  return {
    id: shard,
    name: `shard ${shard}`,
    status,
    conclusion,
    run_attempt: attempt,
    runner_name,
  }
}

type Answered = { status: number; body: unknown }

const ANSWERS: Readonly<Record<string, (run: PlayedRun) => Answered>> = {
  GET: (run) => ({ status: 200, body: describeRun(run) }),
  'GET jobs': ({ jobs }) => {
    return { status: 200, body: { total_count: jobs.length, jobs: jobs.map(describeJob) } }
  },
  'POST cancel': (run) => {
    if (isOver(run)) return { status: 409, body: { message: 'Cannot cancel a completed run.' } }
    run.isCancelled = true
    for (const job of run.jobs) {
      if (job.status === 'queued')
        Object.assign(job, { status: 'completed', conclusion: 'cancelled' })
      signal(job, 'SIGINT')
    }
    return { status: 202, body: {} }
  },
  'POST rerun-failed-jobs': (run) => {
    if (!isOver(run))
      return { status: 403, body: { message: 'This workflow run is already running.' } }
    run.attempt += 1
    run.jobs = run.jobs.map((job) =>
      job.conclusion === 'success' ? job : { ...freshJob(job.shard, run.attempt), said: job.said },
    )
    return { status: 201, body: {} }
  },
}

function signal({ child }: PlayedJob, name: 'SIGKILL' | 'SIGINT'): void {
  if (child?.pid === undefined) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // It has just exited.
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? null : JSON.parse(text)
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}
