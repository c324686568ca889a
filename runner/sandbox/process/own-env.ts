import { concealVariables, takeKeys } from '#lib/setup/take-keys.mjs'

type OwnEnv = Readonly<Record<string, string | undefined>>

const keys = takeKeys()

/** From now on these are keys as well: found by name, and absent from every listing of our environment. */
export const concealKeys = concealVariables

/**
 * The one place where the runner reads its own environment; subjects get what `subjectEnv` allows by name. Provider keys
 * are found by their names and are in no listing: code that passes on the whole environment passes on none of them.
 */
export const RUNNER_ENV: OwnEnv = new Proxy<OwnEnv>(process.env, {
  get: (environment, name) =>
    typeof name === 'string' ? (keys[name] ?? environment[name]) : undefined,
})
