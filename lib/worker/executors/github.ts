import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type GithubSettings,
  githubLaunch,
  githubRunName,
  type RemoteManifest,
} from '../../domain/executors/index.ts'
import type { Plan } from '../../domain/record/index.ts'
import { namedSecret } from '../../env.ts'
import {
  askEngine,
  type Engine,
  EngineFailure,
  type EngineJob,
  type EngineLook,
  type EngineShard,
  readAnswer,
} from './engine.ts'

const NAME = 'GitHub'
const HOUR_MS = 3_600_000
/** Delay until a rerun of a workflow is visible. */
const RERUN_MS = 60_000

/**
 * Runs the workflow `launch.yml` by GitHub's REST API. It does not receive the token of this server: its shards prove
 * that they belong to this workflow run.
 */
export class GithubEngine implements Engine {
  readonly #settings: GithubSettings
  readonly #github: GithubActions
  /** Title of the workflow run. */
  readonly #title: string
  /** Input of the workflow. */
  readonly #launch: string
  #isStopped = false
  #again: { attempt: number; at: number } | null = null

  constructor(
    manifest: RemoteManifest,
    settings: GithubSettings,
    plan: Pick<Plan, 'subject' | 'settings'>,
  ) {
    this.#settings = settings
    this.#github = new GithubActions(settings)
    this.#title = githubRunName(manifest)
    this.#launch = githubLaunch(manifest, settings, plan)
  }

  async find() {
    const job = await this.#findJob()
    return job && { ...job, hasToken: true }
  }

  async start(): Promise<EngineJob> {
    const { ref, workflow, repository, appear, poll } = this.#settings
    if (!(await this.#findJob())) await this.#dispatch()
    const deadline = performance.now() + appear * 1000
    for (;;) {
      const job = await this.#findJob()
      if (job) return job
      if (performance.now() > deadline) break
      await pause(Math.min(2000, poll * 1000))
    }
    const why = `took the launch, but no run "${this.#title}" of ${workflow} appeared in ${repository} within ${appear} s`
    throw final(`${NAME} ${why}: does ${workflow} on ${ref} have this run-name?`)
  }

  async look(engineId: string): Promise<EngineLook> {
    const response = await this.#github.ask('GET', `/runs/${engineId}`)
    if (response.status === 404)
      return { isOver: true, reason: 'the run is no longer on GitHub', shards: [] }
    const run = readAnswer(NAME, response, runSchema)
    const isOver = run.status === 'completed'
    const { retries, hours } = this.#settings
    const isLate = Date.now() > Date.parse(run.created_at) + hours * HOUR_MS
    if (isLate && !isOver && !this.#isStopped) {
      this.#isStopped = true
      await this.#cancelOne(engineId)
    }
    const reason = isLate ? `it took longer than ${hours} h` : describeEnd(run)
    const jobs = await this.#github.listJobs(engineId)
    const mayRetry = !isLate && run.conclusion !== 'cancelled' && run.run_attempt <= retries
    const shards = jobs.flatMap((job) => describeJob(job, mayRetry))
    // The cancellation decides the state of its shards.
    if (this.#isStopped) return { isOver, reason, shards: shards.map(asStopped) }
    if (!isOver || !shards.some(({ state }) => state === 'failed'))
      return { isOver, reason, shards }
    const refusal = await this.#runAgain(run)
    return { isOver: refusal !== null, reason: refusal, shards }
  }

  async cancel(engineId: string): Promise<void> {
    this.#isStopped = true
    await this.clean(engineId)
    await this.#cancelOne(engineId)
  }

  /** Cancels duplicates of a launch, dispatched twice around a kill, so that they do not wait to run. */
  async clean(engineId: string): Promise<void> {
    for (const { id } of await this.#findOpen())
      if (String(id) !== engineId) await this.#cancelOne(String(id))
  }

  /** Oldest first: a duplicate waits for it. */
  async #findOpen(): Promise<Run[]> {
    const path = `/workflows/${this.#settings.workflow}/runs?event=workflow_dispatch&per_page=${PAGE}`
    const response = await this.#github.ask('GET', path)
    if (response.status === 404) throw this.#github.noWorkflow()
    const { workflow_runs: runs } = readAnswer(NAME, response, runsSchema)
    return runs
      .filter((run) => run.display_title === this.#title && run.status !== 'completed')
      .sort((a, b) => a.id - b.id)
  }

  async #findJob(): Promise<EngineJob | null> {
    const [run] = await this.#findOpen()
    return run ? { engineId: String(run.id), engineUrl: run.html_url } : null
  }

  async #dispatch(): Promise<void> {
    const { workflow, ref } = this.#settings
    const body = { ref, inputs: { manifest: this.#launch } }
    const response = await this.#github.ask('POST', `/workflows/${workflow}/dispatches`, body)
    if (response.status === 404) throw this.#github.noWorkflow()
    readAnswer(NAME, response, z.unknown())
  }

  async #cancelOne(engineId: string): Promise<void> {
    const response = await this.#github.ask('POST', `/runs/${engineId}/cancel`)
    // It is gone, or has ended.
    if (response.status !== 404 && response.status !== 409) readAnswer(NAME, response, z.unknown())
  }

  /**
   * Requests a rerun of what failed. Null = it runs again; else the reason why not. GitHub accepts this only for a run
   * that has ended.
   */
  async #runAgain({ id, run_attempt: attempt }: Run): Promise<string | null> {
    if (this.#again?.attempt === attempt)
      return performance.now() - this.#again.at < RERUN_MS
        ? null
        : `${NAME} did not start again what failed`
    try {
      const response = await this.#github.ask('POST', `/runs/${id}/rerun-failed-jobs`)
      readAnswer(NAME, response, z.unknown())
      this.#again = { attempt, at: performance.now() }
      return null
    } catch (error) {
      if (error instanceof EngineFailure && error.isFinal) return error.message
      throw error
    }
  }
}

const runSchema = z.object({
  id: z.number().int().positive(),
  status: z.string(),
  conclusion: z.string().nullable(),
  run_attempt: z.number().int().positive(),
  created_at: z.iso.datetime(),
  display_title: z.string(),
  // Becomes a link on a page.
  html_url: z.url({ protocol: /^https?$/ }).max(500),
})
const runsSchema = z.object({ workflow_runs: z.array(runSchema) })
type Run = z.infer<typeof runSchema>

const jobSchema = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  runner_name: z.string().max(253).nullish(),
})
const jobsSchema = z.object({ jobs: z.array(jobSchema) })
type Job = z.infer<typeof jobSchema>

/** Describes a shard's job, by the number in its name; null = another job. */
function describeJob({ name, status, conclusion, runner_name }: Job, mayRetry: boolean) {
  const [, number] = /^shard ([1-9]\d{0,3})$/.exec(name) ?? []
  if (number === undefined) return []
  const shard = { number: Number(number), host: runner_name || null }
  const message = (state: EngineShard['state'], reason: string | null): EngineShard[] => [
    { ...shard, state, reason },
  ]
  if (status === 'in_progress') return message('running', null)
  if (status !== 'completed')
    return message(
      'waiting',
      status === 'waiting' ? 'waits for the approval of its environment' : null,
    )
  if (conclusion === 'success') return message('done', null)
  const isFinal = !mayRetry || conclusion === 'cancelled' || conclusion === 'skipped'
  return message(isFinal ? 'given-up' : 'failed', `GitHub: the job ended with ${conclusion}`)
}

function asStopped(shard: EngineShard): EngineShard {
  return shard.state === 'given-up' ? { ...shard, state: 'failed', reason: null } : shard
}

function describeEnd({ conclusion }: Run): string | null {
  if (conclusion === null || conclusion === 'success') return null
  return `GitHub: the run ended with ${conclusion}`
}

const PAGE = 100
/** Pages for all shards of the largest run. */
const MAX_PAGES = 3

/** Client of one repository's Actions API, with messages for its errors. */
class GithubActions {
  readonly #settings: GithubSettings

  constructor(settings: GithubSettings) {
    this.#settings = settings
  }

  /**
   * Throws an EngineFailure when the token is rejected or lacks a permission; the caller handles every other status.
   */
  async ask(method: 'GET' | 'POST', path: string, body?: unknown) {
    const { api, repository, token: variable } = this.#settings
    const token = namedSecret(variable)
    if (token === null || !/^[\x21-\x7e]+$/.test(token))
      throw final(
        `${variable} holds no token of GitHub: set it for the worker, or name another variable in executors.yaml`,
      )
    const response = await askEngine({
      name: NAME,
      method,
      url: new URL(`${api}/repos/${repository}/actions${path}`),
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'proofboard',
      },
      ...(body !== undefined && { body }),
    })
    if (response.status === 401)
      throw final(`${NAME} does not take the token in ${variable}: it is wrong or has expired`)
    if (response.status === 403) throw this.#forbidden(response.body)
    return response
  }

  #forbidden(body: unknown): EngineFailure {
    const { repository, token: variable } = this.#settings
    const message = (body as { message?: unknown } | undefined)?.message
    const why = typeof message === 'string' ? message.slice(0, 200) : 'no reason'
    // Temporary: the rate limit resets.
    if (/rate limit/i.test(why)) return new EngineFailure(`${NAME} answered 403: ${why}`)
    const rights = `the token in ${variable} needs "Actions: read and write" on ${repository}`
    return final(`${NAME} answered 403 (${why}): ${rights}`)
  }

  noWorkflow(): EngineFailure {
    const { repository, workflow, token: variable } = this.#settings
    return final(
      `${NAME} knows no workflow ${workflow} in ${repository}: commit .github/workflows/${workflow} to its default branch, and let the token in ${variable} see the repository`,
    )
  }

  async listJobs(runId: string): Promise<Job[]> {
    const all: Job[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const path = `/runs/${runId}/jobs?filter=latest&per_page=${PAGE}&page=${page}`
      const { jobs } = readAnswer(NAME, await this.ask('GET', path), jobsSchema)
      all.push(...jobs)
      if (jobs.length < PAGE) break
    }
    return all
  }
}

function final(message: string): EngineFailure {
  return new EngineFailure(message, { isFinal: true })
}
