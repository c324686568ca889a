import { existsSync, readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { countOf, formatIssues, isLoopback, parseJson } from '#lib/domain/text/index.ts'
import { ask } from '#lib/outgoing/request.ts'
import { suiteError, usageError } from '../../runner-error.ts'

const MAX_BYTES = 64 << 20
const TIMEOUT_MS = 120_000

const taskSchema = z.looseObject({
  name: z.string().max(300).nullish(),
  git_url: z
    .string()
    .max(1000)
    .regex(/^(https?:\/\/|ssh:\/\/|git@|\/)[^\s]*$/, 'is not the address of a git repository'),
  git_commit_id: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'is not a whole commit, so that it pins nothing'),
  path: relativePathSchema,
})

/** A task of a data set: a folder of a repository at a commit. */
export type RegistryTask = { name: string; repository: string; commit: string; path: string }

export type RegistryDataset = {
  name: string
  version: string
  tasks: readonly RegistryTask[]
}

const listSchema = z.array(z.looseObject({ name: z.string(), version: z.string() })).max(100_000)
const datasetSchema = z.looseObject({ tasks: z.array(taskSchema).min(1).max(10_000) })

/** Finds `name@version` in a registry of Harbor, a JSON file or its address. Throws a RunnerError with one sentence. */
export async function findDataset(wanted: string, registry: string): Promise<RegistryDataset> {
  const [, name = '', version = ''] = /^([^@\s]+)@([^@\s]+)$/.exec(wanted) ?? []
  if (name === '')
    throw usageError(`"${wanted}" is not a data set: write its name and version, such as name@1.0`)
  const list = listSchema.safeParse(parseJson(await readText(registry)))
  if (!list.success)
    throw suiteError(`${registry} is not a registry of Harbor: it is a list of data sets in JSON`)
  const named = list.data.filter((one) => one.name === name)
  const found = named.find((one) => one.version === version)
  if (found === undefined) throw suiteError(describeAbsent(wanted, registry, named))
  const parsed = datasetSchema.safeParse(found)
  if (!parsed.success) {
    const [first] = formatIssues(parsed.error.issues)
    throw suiteError(`${wanted} cannot be imported: ${first?.path} ${first?.message}`)
  }
  const isLocal = !isAddress(registry)
  const tasks = parsed.data.tasks.map(({ name: own, git_url: repository, ...task }) => {
    if (!isLocal && repository.startsWith('/'))
      throw suiteError(`${wanted} cannot be imported: ${repository} is a folder of this machine`)
    return {
      name: nameOf(own ?? null, task.path),
      repository,
      commit: task.git_commit_id,
      path: task.path,
    }
  })
  const names = tasks.map((task) => task.name.toLowerCase())
  const twice = names.find((one, at) => names.indexOf(one) !== at)
  if (twice !== undefined)
    throw suiteError(`${wanted} cannot be imported: it has two tasks with the name ${twice}`)
  return { name, version, tasks }
}

function describeAbsent(
  wanted: string,
  registry: string,
  named: readonly { version: string }[],
): string {
  const versions = named.slice(0, 20).map(({ version }) => version)
  return versions.length === 0
    ? `${registry} has no data set ${wanted}`
    : `${registry} has no data set ${wanted}, but ${countOf(named.length, 'other version')}: ${versions.join(', ')}`
}

/** The name of a folder: the task's own one without its organisation, otherwise that of its folder. */
function nameOf(own: string | null, path: string): string {
  const name = (own ?? path).split('/').at(-1) ?? ''
  if (/^[a-z0-9][\w.-]{0,99}$/i.test(name)) return name
  throw suiteError(
    `the task ${JSON.stringify(name.slice(0, 100))} has no name that a folder can have`,
  )
}

const isAddress = (registry: string): boolean => /^https?:\/\//.test(registry)

async function readText(registry: string): Promise<string> {
  if (isAddress(registry)) return fetchText(registry)
  if (!existsSync(registry) || !statSync(registry).isFile())
    throw usageError(`--registry: ${registry} is not a file: name a registry.json or its address`)
  if (statSync(registry).size > MAX_BYTES)
    throw usageError(`--registry: ${registry} is larger than a registry can be`)
  return readFileSync(registry, 'utf8')
}

/** The registry pins all commits, so it has to come over an encrypted connection. */
async function fetchText(registry: string): Promise<string> {
  const url = new URL(registry)
  if (url.protocol === 'http:' && !isLoopback(registry))
    throw usageError('--registry: use https, because the registry decides what is fetched')
  try {
    const { status, body } = await ask(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    if (status === 200) return body.toString('utf8')
    throw new Error(`it answers with ${status}`)
  } catch (error) {
    throw suiteError(
      `the registry ${registry} cannot be read: ${(error as Error).message}. Download it and name the file`,
    )
  }
}
