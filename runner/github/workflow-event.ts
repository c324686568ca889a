import { z } from 'zod'
import { parseJson } from '#lib/domain/record/index.ts'
import { isFile, readText } from '../user-files.ts'

const shaSchema = z.string().regex(/^[0-9a-f]{40,64}$/)

const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.number().int().positive(),
      head: z.object({ sha: shaSchema }),
      base: z.object({ sha: shaSchema }),
    })
    .optional(),
  before: shaSchema.optional().catch(undefined),
})

/** What a workflow was started for; null = not known. */
export type WorkflowEvent = {
  pull: number | null
  head: string | null
  base: string | null
  runUrl: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the event of a workflow's run from its environment: a pull request, else the pushed commit. */
export function readEvent(env: Environment): WorkflowEvent {
  const event = eventSchema.safeParse(readEventFile(env.GITHUB_EVENT_PATH))
  const pull = event.success ? event.data.pull_request : undefined
  const pushed = shaSchema.safeParse(env.GITHUB_SHA)
  return {
    pull: pull?.number ?? null,
    head: pull?.head.sha ?? (pushed.success ? pushed.data : null),
    base: pull?.base.sha ?? (event.success ? (event.data.before ?? null) : null),
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
