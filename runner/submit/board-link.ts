import { mkdirSync, rmSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  RUN_TOKEN,
  RUN_TOKEN_VARIABLE,
  type ShardReply,
  type ShardReport,
  shardReplySchema,
} from '#lib/domain/executors/index.ts'
import {
  type Environment,
  type Episode,
  type Plan,
  parseEpisode,
  type Shard,
} from '#lib/domain/record/index.ts'
import { parseJson, plainText } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { ENVELOPE_FILE } from '../engine/envelopes.ts'
import { RunFolder, writeResult } from '../engine/run-folder.ts'
import { deliveryError, placeError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { isFile } from '../user-files.ts'
import { deliver, readReply } from './deliver.ts'
import { jsonPayload, type Payload, packPayload } from './pack-payload.ts'
import { chooseToken, readTarget, type TokenSource } from './target.ts'

const STORED_MS = 300_000
const MAX_STORED_BYTES = 400e6

type LinkOptions = { server: string; runId: string; insecure: boolean; scratch: string }
type Waiting = (why: string, waitMs: number) => void

/** A batch of episodes of one run folder. */
export type Batch = {
  from: RunFolder
  plan: Plan
  lock: Environment
  shard: Shard
  episodes: readonly Episode[]
}

/** The connection of a shard to its board, with the token of its run. Throws RunnerErrors. */
export class BoardLink {
  readonly #base: string
  readonly #source: TokenSource
  readonly #options: LinkOptions
  readonly #onWait: Waiting
  #sent = 0

  constructor(options: LinkOptions, onWait: Waiting) {
    const { audience } = readTarget(options.server, { insecure: options.insecure })
    this.#base = `${audience}/api/v1`
    this.#options = options
    this.#onWait = onWait
    this.#source = runToken() ?? workflowIdentity(audience)
  }

  /** GitHub creates a new identity for each report, so reports should be fewer. */
  get asksIdentity(): boolean {
    return this.#source.kind === 'oidc'
  }

  /** Tries up to `most` times; a shard that reports often need not insist. */
  async report(report: ShardReport, max: number): Promise<ShardReply> {
    const file = join(this.#options.scratch, `report-${this.#sent++}.json`)
    try {
      const reply = await this.#deliver(jsonPayload(file, report), 'progress', max)
      const parsed = reply.status === 200 ? shardReplySchema.safeParse(parseJson(reply.text)) : null
      if (parsed?.success) return parsed.data
      throw refusal(reply.status, readReply(reply).summary)
    } finally {
      rmSync(file, { force: true })
    }
  }

  /** Sends episodes with their evidence; repeated sends change nothing. */
  async send({ from, episodes, ...head }: Batch, made: number, max: number): Promise<void> {
    const folder = join(this.#options.scratch, `batch-${this.#sent++}`)
    try {
      mkdirSync(folder, { mode: 0o700 })
      for (const episode of episodes) await copyAttempt(from, episode, folder)
      const { runId } = this.#options
      await writeResult(new RunFolder(folder), { runId, ...head, episodes: [...episodes] })
      const scratch = { scratch: this.#options.scratch, index: this.#sent++ }
      const payload = await packPayload(folder, scratch)
      const path = `results?shard=${head.shard.index}&try=${made}`
      const reply = await this.#deliver(payload, path, max)
      rmSync(payload.file, { force: true })
      const { ok, status, summary } = readReply(reply)
      if (!ok) throw refusal(status, summary)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** Returns the sealed episodes that earlier tries stored. */
  async storedEpisodes(): Promise<Episode[]> {
    const url = new URL(`${this.#base}/runs/${this.#options.runId}/export?format=bundle`)
    const limits = { timeoutMs: STORED_MS, maxBytes: MAX_STORED_BYTES }
    const { status, body } = await ask(url, limits).catch((error: Error) => {
      throw deliveryError(`the stored episodes could not be read from the board: ${error.message}`)
    })
    if (status === 409) return []
    const content = parseJson(body.toString('utf8')) as { episodes?: unknown[] } | null | undefined
    if (status !== 200 || !Array.isArray(content?.episodes))
      throw deliveryError(`the board answered ${status} when asked for the stored episodes`)
    return content.episodes.flatMap((one) => {
      const parsed = parseEpisode(one)
      return parsed.ok ? [parsed.value] : []
    })
  }

  #deliver(payload: Payload, path: string, max: number) {
    const url = new URL(`${this.#base}/remote-runs/${this.#options.runId}/${path}`)
    const delivery = { url, source: this.#source, max, onWait: this.#onWait }
    return deliver(() => payload, delivery)
  }
}

/** Null = none, as in a workflow. */
function runToken(): TokenSource | null {
  const token = RUNNER_ENV[RUN_TOKEN_VARIABLE]?.trim() ?? ''
  if (RUN_TOKEN.test(token)) return { kind: 'token', tokenFor: async () => token }
  if (token === '' && RUNNER_ENV[IDENTITY_KEY]) return null
  throw usageError(`no token of this run: its engine sets ${RUN_TOKEN_VARIABLE}`)
}

const IDENTITY_KEY = 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'

function workflowIdentity(audience: string): TokenSource {
  // Read by name, because concealed keys are in no listing.
  const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = RUNNER_ENV
  return chooseToken('oidc', audience, {
    ACTIONS_ID_TOKEN_REQUEST_URL,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN,
  })
}

async function copyAttempt(from: RunFolder, episode: Episode, to: string): Promise<void> {
  const { taskId, repetition, attempt, evidence } = episode
  const place = from.attemptPath(taskId, repetition, attempt)
  for (const path of [...evidence.map((one) => one.path), ENVELOPE_FILE]) {
    const source = join(from.path, place, path)
    if (!isFile(source)) continue
    const target = join(to, place, path)
    await mkdir(join(target, '..'), { recursive: true })
    await copyFile(source, target)
  }
}

/** 5xx and 429 were retried enough; anything else would be refused again. */
function refusal(status: number, summary: string) {
  const message = `the board answered ${status}: ${plainText(summary)}`
  return status === 429 || status >= 500 ? deliveryError(message) : placeError(message)
}
