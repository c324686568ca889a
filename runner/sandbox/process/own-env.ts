import { concealVariables, takeKeys } from '#lib/setup/take-keys.mjs'

export type Env = Readonly<Record<string, string | undefined>>

const keys = takeKeys()

/** Treats these names as keys from now on: readable by name, and absent from every listing of the environment. */
export const concealKeys = concealVariables

/**
 * The only place where the runner reads its own environment; subjects get what `subjectEnv` allows by name. Provider
 * keys are readable by name but never listed, so code that copies the whole environment copies none of them.
 */
export const RUNNER_ENV: Env = new Proxy<Env>(process.env, {
  get: (environment, name) =>
    typeof name === 'string' ? (keys[name] ?? environment[name]) : undefined,
})
