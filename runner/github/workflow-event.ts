import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import { isFile, readText } from '../user-files.ts'

const shaSchema = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A fork that was deleted is null. */
const repoSchema = z.object({ full_name: z.string() }).nullish()

const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.number().int().positive(),
      head: z.object({ sha: shaSchema, repo: repoSchema }),
      base: z.object({ sha: shaSchema, repo: repoSchema }),
    })
    .optional(),
  merge_group: z.object({ head_sha: shaSchema, base_sha: shaSchema }).optional(),
  before: shaSchema.optional().catch(undefined),
})

/** The event that started a workflow; null = unknown. */
export type WorkflowEvent = {
  pull: number | null
  /** A pull request of another repository, which is given no secrets. */
  isFork: boolean
  head: string | null
  base: string | null
  /** The commit that the workflow runs on: for a pull request, its test merge. */
  sha: string | null
  runUrl: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the event of a workflow's run from its environment: a pull request, else a merge queue's group, else the pushed
 * commit. `base` comes from the event; `chooseBase` compares it with the checkout.
 */
export function readEvent(env: Environment): WorkflowEvent {
  const event = eventSchema.safeParse(readEventFile(env.GITHUB_EVENT_PATH))
  const pull = event.success ? event.data.pull_request : undefined
  const group = event.success ? event.data.merge_group : undefined
  const pushed = shaSchema.safeParse(env.GITHUB_SHA)
  return {
    pull: pull?.number ?? null,
    isFork: pull?.base.repo != null && pull.head.repo?.full_name !== pull.base.repo.full_name,
    head: pull?.head.sha ?? group?.head_sha ?? (pushed.success ? pushed.data : null),
    base: pull?.base.sha ?? group?.base_sha ?? (event.success ? (event.data.before ?? null) : null),
    sha: pushed.success ? pushed.data : null,
    runUrl: runAddress(env),
  }
}

function readEventFile(path: string | undefined): unknown {
  if (path === undefined || !isFile(path)) return {}
  const read = readText(path)
  return read.ok ? parseJson(read.text) : {}
}

function runAddress({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: id,
}: Environment): string | null {
  const isWhole = /^https:\/\/[\w.-]+$/.test(server ?? '') && /^\d+$/.test(id ?? '')
  return isWhole && /^[\w.-]+\/[\w.-]+$/.test(repository ?? '')
    ? `${server}/${repository}/actions/runs/${id}`
    : null
}
