import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { AgentDefinition, AgentLogin, LoginSecret } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { removeAbandoned } from '../../engine/files.ts'
import { readPlainFile } from '../../engine/read-plain-file.ts'
import type { Upstream } from '../../gateway/headers.ts'
import { at } from '../../gateway/json-value.ts'
import { subjectError } from '../../runner-error.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { runAttached } from '../../sandbox/process/run-in-foreground.ts'
import { inDraft } from '../../scratch.ts'
import { dataFolder } from '../../suites/project-paths.ts'
import type { AgentStart } from './agent-program.ts'

/** A saved login as used by a run. The files are read again for every attempt, so logging in again needs no new run. */
export type OpenLogin = {
  definition: AgentLogin
  /** Texts that no evidence may contain. */
  secrets: readonly string[]
  /** Address to which the gateway sends the logged-in agent's requests; null = the agent gets the files. */
  upstream: (() => Upstream) | null
  /** The files for the agent, by their paths below HOME; none if the gateway is used. */
  files: () => { path: string; content: string }[]
}

/** Folder of all logins: next to the runs, and never archived, backed up or shown. */
function loginsFolder(env: Env): string {
  return join(dataFolder(env), 'logins')
}

function loginFolder({ name }: Pick<AgentDefinition, 'name'>, env: Env): string {
  return join(loginsFolder(env), name)
}

/** Returns whether a login of this agent is saved here; reads no file. */
export function hasLogin(definition: Pick<AgentDefinition, 'name' | 'login'>, env: Env): boolean {
  const [first] = definition.login?.keeps ?? []
  return first !== undefined && existsSync(join(loginFolder(definition, env), first))
}

/** Returns the login as the agent's definition describes it. Throws a RunnerError for an agent without one. */
export function requireLogin({ name, login }: Pick<AgentDefinition, 'name' | 'login'>): AgentLogin {
  if (login) return login
  throw subjectError(`${name} has no subscription login: remove --login and set a key`, '--login')
}

/** Opens the saved login of an agent. Throws a one-sentence RunnerError if it is missing or expired. */
export function openLogin(
  definition: Pick<AgentDefinition, 'name' | 'login'>,
  env: Env,
): OpenLogin {
  const login = requireLogin(definition)
  const { name } = definition
  const folder = loginFolder(definition, env)
  const again = `proofboard agents login ${name}`
  if (!hasLogin(definition, env))
    throw subjectError(`${name} is not logged in to ${login.title} here: ${again}`, '--login')
  if (!isMadeFor(login, folder))
    throw subjectError(
      `the login of ${name} was made with a definition that sends it elsewhere: ${again}`,
      '--login',
    )
  const { gateway, keeps } = login
  const saved = () =>
    keeps
      .filter((path) => existsSync(join(folder, path)))
      .map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') }))
  const read = (secret: LoginSecret) => {
    const found = readSecret(folder, secret)
    if (found !== null) return found
    throw subjectError(
      `the login of ${name} contains no ${secret.member} in ${secret.file}: ${again}`,
      '--login',
    )
  }
  const upstream = gateway
    ? (): Upstream => {
        const until = gateway.expires && Number(read(gateway.expires))
        if (until && until < Date.now())
          throw subjectError(
            `the login of ${name} ended at ${new Date(until).toISOString()}: ${again}`,
            '--login',
          )
        const headers = Object.entries(gateway.headers).map(([header, secret]) => [
          header,
          secret.before + read(secret),
        ])
        const { baseUrl } = gateway
        return { provider: login.provider, baseUrl, headers: Object.fromEntries(headers) }
      }
    : null
  upstream?.()
  return {
    definition: login,
    secrets: saved().flatMap(({ content }) => listSecrets(content)),
    upstream,
    files: () => (gateway ? [] : saved()),
  }
}

/** Next to the saved files: the audience of the login. An agent file of the same name must not send it elsewhere. */
const AUDIENCE_FILE = '.proofboard-audience'

function audienceOf({ keeps, provider, gateway }: AgentLogin): string {
  return digestJson({ keeps, provider, gateway })
}

function isMadeFor(login: AgentLogin, folder: string): boolean {
  const file = join(folder, AUDIENCE_FILE)
  return existsSync(file) && readFileSync(file, 'utf8') === audienceOf(login)
}

function readSecret(folder: string, { file, member }: LoginSecret): string | null {
  const path = join(folder, file)
  if (!existsSync(path)) return null
  const value = at(parseJson(readFileSync(path, 'utf8')), ...member.split('.'))
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Shorter texts are names and dates, which occur in every log. */
const MIN_SECRET = 16

/** Lists every long text of a saved file: a JSON file's values, another file's words. */
function listSecrets(content: string): string[] {
  const value = parseJson(content)
  const texts = value === undefined ? content.split(/[\s"'=]+/) : listValues(value)
  return [...new Set(texts.filter((text) => text.length >= MIN_SECRET))]
}

function listValues(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listValues)
}

/** Name prefixes of folders in which a login is in progress; a killed one leaves its folder. */
const HOME = '.home-'
const SAVED = '.saved-'

const PASSED_ON =
  /^(PATH|LANG|LC_ALL|TZ|TERM|COLORTERM|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|BROWSER|SSH_CONNECTION|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i

/**
 * Runs the agent's own login in this terminal, in an otherwise empty HOME, and saves only the login files. An earlier
 * login stays until the new one is complete. Throws a RunnerError if it did not complete.
 */
export async function startLogin(
  definition: Pick<AgentDefinition, 'name' | 'login'>,
  { binary, node }: AgentStart,
  environment: Env,
): Promise<{ folder: string; title: string }> {
  const login = requireLogin(definition)
  const { argv, env, keeps, title } = login
  const folder = loginFolder(definition, environment)
  await mkdir(loginsFolder(environment), { recursive: true, mode: 0o700 })
  await chmod(loginsFolder(environment), 0o700)
  await removeAbandoned(loginsFolder(environment), [HOME, SAVED])
  return inDraft(join(loginsFolder(environment), HOME), async (home) => {
    const passed = Object.entries(environment).filter(
      (pair): pair is [string, string] => PASSED_ON.test(pair[0]) && Boolean(pair[1]),
    )
    const command = [...(node === null ? [] : [node]), binary, ...argv]
    const given = { ...Object.fromEntries(passed), HOME: home, ...env }
    const code = await runAttached(command, { env: given, cwd: home })
    const saved = keeps.filter((path) => existsSync(join(home, path)))
    const [first = ''] = keeps
    if (!saved.includes(first))
      throw subjectError(
        `${definition.name} ended (exit code ${code ?? 'none'}) without a login to ${title}: nothing was saved`,
      )
    await keepFiles(home, folder, saved, audienceOf(login))
    return { folder, title }
  })
}

/** Maximum size of a login. */
const MAX_KEPT_BYTES = 1 << 20

/** Saves plain files only: the target of a link in that HOME is not the login. */
async function keepFiles(
  home: string,
  folder: string,
  paths: readonly string[],
  audience: string,
): Promise<void> {
  return inDraft(join(dirname(folder), SAVED), async (draft) => {
    for (const path of paths) {
      const found = await readPlainFile(home, path, MAX_KEPT_BYTES)
      if (found.kind !== 'read')
        throw subjectError(
          `the login left ${path}, which cannot be saved (${found.kind === 'refused' ? found.reason : 'it is gone'}): nothing was saved`,
        )
      await writePrivate(join(draft, path), found.bytes)
    }
    await writePrivate(join(draft, AUDIENCE_FILE), audience)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  })
}

async function writePrivate(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, content, { mode: 0o600 })
}

/** Removes the login; returns whether there was one. */
export async function endLogin(
  definition: Pick<AgentDefinition, 'name' | 'login'>,
  env: Env,
): Promise<boolean> {
  const was = hasLogin(definition, env)
  await rm(loginFolder(definition, env), { recursive: true, force: true })
  return was
}
