import type { HarborFile, HarborTask } from '#lib/domain/tasks/index.ts'
import { present } from '#lib/domain/text/index.ts'
import {
  agentOf,
  baselineOf,
  isSeparate,
  listArtifacts,
  networkOf,
  verifierOf,
} from './describe-parts.ts'
import { describeSteps, mergeStep } from './describe-steps.ts'
import { sizeToMb } from './read-task-toml.ts'
import { fillDefaults, listVariables } from './variables.ts'

/** The meaning of a `task.toml` for the runner, without the files. */
export type DescribedTask = Omit<
  HarborTask,
  'kind' | 'taskId' | 'digest' | 'instruction' | 'place'
> & {
  /** Why no attempt is possible; null = it is. */
  refusal: string | null
}

/** Translates a `task.toml` into limits, network, variables, steps, and sentences about unsupported members. */
export function describeTask(file: HarborFile, taskId: string): DescribedTask {
  const { metadata, task, environment: env, agent, verifier } = file
  const { healthcheck, steps } = describeSteps(file)
  const isOn = baselineOf(file)
  return {
    title: titleOf(task?.name, taskId),
    category: textOf(metadata.category, 60) ?? 'unknown',
    difficulty: difficultyOf(metadata.difficulty),
    authors: authorsOf(file),
    keywords: keywordsOf(file),
    image: env.docker_image ?? null,
    env: fillDefaults(env.env),
    agent: agentOf(agent, networkOf(agent, isOn)),
    verifier: verifierOf(verifier, networkOf(verifier, isOn), file.artifacts),
    ...(healthcheck && { healthcheck }),
    ...(steps.length > 0 && { steps, stepReward: file.multi_step_reward_strategy ?? 'mean' }),
    solutionEnv: fillDefaults(file.solution.env),
    limits: {
      buildMs: Math.round(env.build_timeout_sec * 1000),
      cpus: env.cpus ?? null,
      memoryMb: env.memory_mb ?? (env.memory === undefined ? null : sizeToMb(env.memory)),
      storageMb: env.storage_mb ?? (env.storage === undefined ? null : sizeToMb(env.storage)),
    },
    notes: listNotes(file),
    refusal: findRefusal(file),
  }
}

/**
 * Returns why a task is refused: it needs a feature that is unsupported, without which it would be a different task.
 */
function findRefusal(file: HarborFile): string | null {
  const { environment: env } = file
  if (!isForLinux(file)) return `is for ${env.os}: only tasks for Linux are run`
  if ((env.gpus ?? 0) > 0 || env.tpu !== undefined)
    return 'needs a GPU or TPU, which no attempt gets'
  for (const { verifier, artifacts } of partsOf(file)) {
    const { refusal } = listArtifacts(artifacts)
    if (isSeparate(verifier) && refusal !== null) return refusal
  }
  return null
}

/** True unless the task names another system. */
export function isForLinux({ environment: { os = 'linux' } }: HarborFile): boolean {
  return os.toLowerCase() === 'linux'
}

/** The parts that are verified: the steps, or the task itself if it has none. */
function partsOf(file: HarborFile): Pick<HarborFile, 'verifier' | 'artifacts'>[] {
  return file.steps.length > 0 ? file.steps.map((step) => mergeStep(file, step)) : [file]
}

function listNotes(file: HarborFile): string[] {
  const { environment: env, agent, verifier, steps } = file
  const parts = [env, agent, verifier, ...steps.flatMap((step) => [step.agent, step.verifier])]
  const verified = partsOf(file)
  const hasLost = verified.some(
    (part) => (part.artifacts ?? []).length > 0 && !isSeparate(part.verifier),
  )
  const requested = listVariables(file)
  const hasHosts = parts.some(
    (part) => part.network_mode === 'allowlist' || (part.allowed_hosts ?? []).length > 0,
  )
  return present([
    env.mcp_servers.length > 0 && 'its MCP servers are not offered to the agent',
    env.skills_dir !== undefined && 'its skills folder is not passed to the agent',
    hasHosts && 'its list of allowed hosts cannot be enforced: the network is off instead',
    hasLost && 'its artifacts are not collected',
    steps.length > 0 && 'HOME and temporary files are new in each of its steps',
    requested.length > 0 &&
      `it asks for variables of the machine that runs it: ${requested.join(', ')} (--env)`,
    verified.some(hasOwnLimits) &&
      'limits of the verifier’s own environment: those of the task hold there too',
  ])
}

function hasOwnLimits({ verifier }: Pick<HarborFile, 'verifier'>): boolean {
  const names = Object.keys(verifier.environment ?? {})
  return names.some((name) => /^(cpus|memory|storage)/.test(name))
}

function titleOf(name: string | undefined, taskId: string): string {
  const words = (name?.split('/').at(-1) ?? taskId).replaceAll(/[-_]+/g, ' ').trim() || taskId
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 200)
}

function textOf(value: unknown, max: number): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, max) : null
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
