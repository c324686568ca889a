import type { HarborFile, HarborTask } from '#lib/domain/tasks/index.ts'
import { usageError } from '../runner-error.ts'
import type { LoadedHarbor } from './harbor-folder.ts'

type Env = Readonly<Record<string, string>>
type HostEnv = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME:-default}` by its default, whatever this machine has. `${NAME}` stays: its value is read when the task
 * is run, and only if the person who runs it allows it.
 */
export function fillDefaults(env: Env): Record<string, string> {
  return mapValues(env, (value) => value.replace(VARIABLE, (whole, _, preset) => preset ?? whole))
}

/** Lists the variables without a default that a `task.toml` asks for. */
export function listVariables({ environment, verifier, solution, steps }: HarborFile): string[] {
  const parts = [environment, verifier, solution, ...steps.map((step) => step.verifier)]
  return namesIn(parts.map(({ env }) => fillDefaults(env)))
}

function namesIn(envs: readonly Env[]): string[] {
  const values = envs.flatMap((env) => Object.values(env))
  const names = values.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name))
  return [...new Set(names)]
}

/** Variables of this machine that tasks are given, by name: those that the person who runs them allows. */
export type AllowedVariables = Env

/**
 * Reads the allowed variables of this machine. Throws a RunnerError for a name that is none, or that is not set.
 */
export function readAllowed(names: readonly string[], host: HostEnv): AllowedVariables {
  const entries = names.map((name) => {
    const value = host[name]
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw usageError(`--env ${name}: is not the name of a variable`, '--env')
    if (!value)
      throw usageError(`--env ${name}: is not set here: set it, or remove the option`, '--env')
    if (/[\n\r]/.test(value))
      throw usageError(
        `--env ${name}: contains a line break, which a container cannot be given`,
        '--env',
      )
    return [name, value] as const
  })
  return Object.fromEntries(entries)
}

/** Returns the variables that a task asks for and that are not allowed, as a part of a sentence; null = none. */
export function findMissing(task: HarborTask, allowed: AllowedVariables): string | null {
  const missing = namesIn(envsOf(task)).filter((name) => allowed[name] === undefined)
  if (missing.length === 0) return null
  const options = missing.map((name) => `--env ${name}`).join(' ')
  return `asks for ${missing.join(', ')} of this machine, which it is given only with ${options}`
}

/**
 * Returns the allowed variables that these tasks ask for, and no others. Throws a RunnerError for a task that asks for one
 * that is not allowed.
 */
export function chooseVariables(
  tasks: readonly LoadedHarbor[],
  allowed: AllowedVariables,
): AllowedVariables {
  const problems = tasks.flatMap(({ task }) => {
    const missing = findMissing(task, allowed)
    return missing === null ? [] : [`${task.taskId} ${missing}`]
  })
  if (problems.length > 0)
    throw usageError(`these tasks cannot be run: ${problems.slice(0, 5).join('; ')}`, '--env')
  const requested = new Set(namesIn(tasks.flatMap(({ task }) => envsOf(task))))
  return Object.fromEntries(Object.entries(allowed).filter(([name]) => requested.has(name)))
}

function envsOf({ env, verifier, solutionEnv, steps = [] }: HarborTask): Env[] {
  return [env, verifier.env, solutionEnv, ...steps.map((step) => step.verifier.env)]
}

/** Returns the task with the values of its variables, which must be allowed. Never stored, and in no digest. */
export function fillVariables(loaded: LoadedHarbor, allowed: AllowedVariables): LoadedHarbor {
  const fill = (env: Env) =>
    mapValues(env, (value) => value.replace(VARIABLE, (whole, name) => allowed[name] ?? whole))
  const { task } = loaded
  const verifierOf = (verifier: HarborTask['verifier']) => ({
    ...verifier,
    env: fill(verifier.env),
  })
  const steps = task.steps?.map((step) => ({ ...step, verifier: verifierOf(step.verifier) }))
  return {
    ...loaded,
    task: {
      ...task,
      env: fill(task.env),
      verifier: verifierOf(task.verifier),
      solutionEnv: fill(task.solutionEnv),
      ...(steps && { steps }),
    },
  }
}

function mapValues(env: Env, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, change(value)]))
}
