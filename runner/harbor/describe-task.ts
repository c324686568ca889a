import { z } from 'zod'
import type { HarborFile, HarborTask } from '#lib/domain/tasks/index.ts'
import { sizeToMb } from './read-task-toml.ts'

/** The meaning of a `task.toml` for the runner, without the files. */
export type DescribedTask = Omit<
  HarborTask,
  'kind' | 'taskId' | 'digest' | 'instruction' | 'place'
> & {
  /** Why no attempt is possible; null = it is. */
  refusal: string | null
}

/** Translates a `task.toml` into limits, network, variables, and sentences about unsupported members. */
export function describeTask(file: HarborFile, taskId: string): DescribedTask {
  const { metadata, task, environment: env, agent, verifier } = file
  const notes: string[] = []
  const variables = [
    substitute(env.env, 'environment.env'),
    substitute(verifier.env, 'verifier.env'),
    substitute(file.solution.env, 'solution.env'),
  ] as const
  const [own, verifying, solving] = variables
  const asked = variables.flatMap(({ missing }) => missing)[0] ?? null
  const baseline = networkOf(env, true)
  return {
    title: titleOf(task?.name, taskId),
    category: textOf(metadata.category, 60) ?? 'unknown',
    difficulty: difficultyOf(metadata.difficulty),
    authors: authorsOf(file),
    keywords: keywordsOf(file),
    image: env.docker_image ?? null,
    env: own.env,
    agent: {
      timeoutMs: agent.timeout_sec === undefined ? null : Math.round(agent.timeout_sec * 1000),
      user: userOf(agent.user),
      network: networkOf(agent, baseline === 'on'),
    },
    verifier: {
      timeoutMs: Math.round(verifier.timeout_sec * 1000),
      env: verifying.env,
      user: userOf(verifier.user),
      network: networkOf(verifier, baseline === 'on'),
      ...(isSeparate(file) && {
        separate: {
          image: verifier.environment?.docker_image ?? null,
          artifacts: listArtifacts(file.artifacts).paths,
        },
      }),
    },
    solutionEnv: solving.env,
    limits: {
      buildMs: Math.round(env.build_timeout_sec * 1000),
      cpus: env.cpus ?? null,
      memoryMb: env.memory_mb ?? (env.memory === undefined ? null : sizeToMb(env.memory)),
      storageMb: env.storage_mb ?? (env.storage === undefined ? null : sizeToMb(env.storage)),
    },
    notes: [...notes, ...listNotes(file)],
    refusal:
      asked === null
        ? findRefusal(file)
        : `asks for ${asked} of this machine: no task is given variables of it`,
  }
}

type Policy = {
  network_mode?: 'public' | 'no-network' | 'allowlist' | undefined
  allowed_hosts?: string[] | undefined
  allow_internet?: boolean | undefined
}

/** Allow lists of hosts are not supported in any sandbox, so they mean no network. */
function networkOf(policy: Policy, otherwise: boolean): 'on' | 'off' {
  const { network_mode: mode, allowed_hosts: hosts = [], allow_internet: allowed } = policy
  if (mode !== undefined) return mode === 'public' ? 'on' : 'off'
  if (hosts.length > 0) return 'off'
  return (allowed ?? otherwise) ? 'on' : 'off'
}

/**
 * Returns why a task is refused: it needs a feature that is unsupported, without which it would be a different task.
 */
function findRefusal(file: HarborFile): string | null {
  const { environment: env, verifier, steps } = file
  if (steps !== undefined && steps.length > 0)
    return 'has several steps, which are not run here: only tasks of one step are'
  if (env.os !== undefined && env.os.toLowerCase() !== 'linux')
    return `is for ${env.os}: only tasks for Linux are run`
  if ((env.gpus ?? 0) > 0 || env.tpu !== undefined)
    return 'needs a GPU or TPU, which no attempt gets'
  if ((verifier.collect ?? []).length > 0)
    return 'collects from running services, which none are here'
  if (env.healthcheck !== undefined)
    return 'waits for a service with a healthcheck, and services are not supported here'
  return isSeparate(file) ? listArtifacts(file.artifacts).refusal : null
}

function isSeparate({ verifier }: HarborFile): boolean {
  const { environment_mode: mode, environment } = verifier
  return mode === 'separate' || (mode === undefined && environment !== undefined)
}

/** The format's own folder for artifacts. */
const ARTIFACTS_FOLDER = '/logs/artifacts'

/** Paths that a separate verifier environment receives. Artifacts of running services are not supported. */
function listArtifacts(artifacts: HarborFile['artifacts'] = []): {
  paths: string[]
  refusal: string | null
} {
  const read = artifacts.map((one) => artifactSchema.safeParse(one).data)
  const sources = read.flatMap((one) => (one === undefined ? [] : [one.source]))
  const isUnread = read.length > sources.length || sources.some((path) => !isPlainPath(path))
  return {
    paths: [...new Set([ARTIFACTS_FOLDER, ...sources])],
    refusal: isUnread
      ? 'hands its verifier artifacts that are not plain absolute paths of its own container'
      : null,
  }
}

const artifactSchema = z.union([
  z.string().transform((source) => ({ source })),
  z.strictObject({ source: z.string(), destination: z.string().optional() }),
])

function isPlainPath(path: string): boolean {
  return /^(\/[^/\0\n]+)+$/.test(path) && !path.split('/').includes('..') && path.length <= 1000
}

function listNotes(file: HarborFile): string[] {
  const { environment: env, agent, verifier, artifacts = [] } = file
  const parts = [env, agent, verifier] as const
  const hasHosts = parts.some(
    (part) => part.network_mode === 'allowlist' || (part.allowed_hosts ?? []).length > 0,
  )
  return [
    ...(env.mcp_servers.length > 0 ? ['its MCP servers are not offered to the agent'] : []),
    ...(env.skills_dir === undefined ? [] : ['its skills folder is not passed to the agent']),
    ...(hasHosts
      ? ['its list of allowed hosts cannot be enforced: the network is off instead']
      : []),
    ...(artifacts.length > 0 && !isSeparate(file) ? ['its artifacts are not collected'] : []),
    ...(hasOwnLimits(file)
      ? ['limits of the verifier’s own environment: those of the task hold there too']
      : []),
  ]
}

function hasOwnLimits({ verifier }: HarborFile): boolean {
  const names = Object.keys(verifier.environment ?? {})
  return names.some((name) => /^(cpus|memory|storage)/.test(name))
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** `${NAME:-default}` becomes the default: a task must not read this machine's environment. */
function substitute(env: Record<string, string>, path: string) {
  const missing: string[] = []
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(VARIABLE, (_, asked: string, preset: string | undefined) => {
      if (preset === undefined) missing.push(`the variable ${asked} (${path}.${name})`)
      return preset ?? ''
    }),
  ])
  return { env: Object.fromEntries(filled) as Record<string, string>, missing }
}

function titleOf(name: string | undefined, taskId: string): string {
  const words = (name?.split('/').at(-1) ?? taskId).replaceAll(/[-_]+/g, ' ').trim() || taskId
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 200)
}

function textOf(value: unknown, most: number): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, most) : null
}

function difficultyOf(value: unknown): HarborTask['difficulty'] {
  const word = textOf(value, 20)?.toLowerCase()
  return word === 'easy' || word === 'medium' || word === 'hard' ? word : 'unknown'
}

function authorsOf({ task, metadata }: HarborFile): string[] {
  const named = task?.authors.map(({ name }) => name.slice(0, 300)) ?? []
  const single = textOf(metadata.author_name, 300)
  return named.length > 0 || single === null ? named : [single]
}

function keywordsOf({ task, metadata }: HarborFile): string[] {
  const tags = Array.isArray(metadata.tags) ? metadata.tags : []
  const words = [...(task?.keywords ?? []), ...tags].flatMap((word) => textOf(word, 100) ?? [])
  return [...new Set(words)].slice(0, 100)
}

function userOf(user: string | number | undefined): string | null {
  return user === undefined ? null : String(user)
}
