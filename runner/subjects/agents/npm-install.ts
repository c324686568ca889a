import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { countOf, lastLine, parseJson } from '#lib/domain/text/index.ts'
import { stoppedError } from '../../runner-error.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { runTool, type ToolEnding } from '../../sandbox/process/run-tool.ts'
import { makeScratch } from '../../scratch.ts'
import { findBinary } from './find-binary.ts'

type NpmOptions = {
  /** Receives lines of progress. */
  report?: (line: string) => void
  /** Fires when the command is interrupted. */
  signal?: AbortSignal
  /** Installs for Linux on this processor (`x64`), without install scripts; absent = for this machine. */
  linux?: string
}

/** Generous, because a slow machine unpacks for long; npm itself gives up on a silent registry. */
const MAX_INSTALL_MS = 30 * 60_000
const PROGRESS_EVERY_MS = 10_000
/** Variables that npm needs to reach a registry; none is a credential. */
const PASSED_VARIABLES =
  /^(PATH|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i

/**
 * Installs one package into a folder of its own. Returns null on success, else the reason. npm gets an empty HOME, so no
 * credentials, but the user's registry settings and cache. Throws a RunnerError when the command is interrupted.
 */
export async function npmInstall(
  prefix: string,
  packageAtVersion: string,
  environment: Env,
  { report = () => {}, signal, linux }: NpmOptions = {},
): Promise<string | null> {
  if (findBinary('npm', environment.PATH ?? '') === null)
    return 'npm is not in PATH: install Node.js with npm'
  const home = await makeScratch('proofboard-npm')
  const settings = await readSettings(environment)
  await writeFile(join(home, '.npmrc'), settings.lines)
  const env = {
    ...Object.fromEntries(
      Object.entries(environment).filter(([name]) => PASSED_VARIABLES.test(name)),
    ),
    HOME: home,
    npm_config_registry: withoutCredentials(await npm(['config', 'get', 'registry'], environment)),
    npm_config_cache: settings.cache,
  }
  const progress = new Progress(packageAtVersion, report)
  try {
    const options = [...INSTALL_OPTIONS, ...(linux === undefined ? [] : linuxOptions(linux))]
    const args = ['install', '--prefix', prefix, ...options, packageAtVersion]
    const onStderr = (text: string) => progress.read(text)
    const ending = await npm(args, env, { onStderr, ...(signal && { signal }) })
    if (signal?.aborted) throw stoppedError(`stopped: ${packageAtVersion} was not installed`)
    if (ending.code === 0) return null
    return `${describeEnding(ending, packageAtVersion)}${await describeWithheld(environment)}`
  } finally {
    progress.end()
    await rm(home, { recursive: true, force: true })
  }
}

const RETRY = 'try again: finished downloads are in its cache'

function describeEnding({ code, endedBy, stdout, stderr }: ToolEnding, what: string): string {
  if (endedBy === 'timeout')
    return `npm did not finish within ${MAX_INSTALL_MS / 60_000} minutes; ${RETRY}`
  if (code === null)
    return `npm was ended (${endedBy ?? lastLine(stderr)}) before it finished; ${RETRY}`
  const output = `${stdout}${stderr}`
  const [first = 'no error message'] = output.match(/^npm error (?!A complete log).*/gm) ?? []
  const failure = `npm install ${what} failed: ${first.replace('npm error ', '')}`
  return UNTRUSTED.test(output)
    ? `${failure}; the certificate of the registry, or of a proxy before it, is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority`
    : failure
}

const UNTRUSTED =
  /UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|SELF_SIGNED_CERT|self[- ]signed certificate|CERT_UNTRUSTED/

/** Settings by which npm reaches a registry; its JSON leaves out values with a password. */
const settingsSchema = z.looseObject({
  cache: z.string().catch(''),
  cafile: z.string().nullish().catch(null),
  ca: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  'strict-ssl': z.boolean().nullish().catch(null),
  proxy: z.string().nullish().catch(null),
  'https-proxy': z.string().nullish().catch(null),
  noproxy: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
})
const PASSED_SETTINGS = [
  'cafile',
  'ca',
  'strict-ssl',
  'proxy',
  'https-proxy',
  'noproxy',
  'fetch-retry-mintimeout',
  'fetch-retry-maxtimeout',
] as const

/** Returns the user's cache folder, and an `.npmrc` with the user's registry settings. */
async function readSettings(env: Env): Promise<{ cache: string; lines: string }> {
  const { stdout } = await npm(['config', 'list', '--json'], env)
  const settings = settingsSchema.parse(parseJson(stdout) ?? {})
  const lines = PASSED_SETTINGS.flatMap((name) => {
    const value = settings[name]
    if (Array.isArray(value))
      return value.filter(Boolean).map((one) => `${name}[]=${JSON.stringify(one)}`)
    return value === null || value === undefined || value === ''
      ? []
      : [`${name}=${JSON.stringify(value)}`]
  })
  return { cache: settings.cache, lines: `${lines.join('\n')}\n` }
}

/** Names the user's settings that npm did not get, as the end of a sentence; empty = none. */
async function describeWithheld(env: Env): Promise<string> {
  const { stdout } = await npm(['config', 'list'], env)
  const names = [...stdout.matchAll(WITHHELD)].map(([, name = '']) => name)
  if (names.length === 0) return ''
  return `; npm ran without the logins in your npm settings (${names.join(', ')}), which the scripts of a package could read`
}

/** Matches a setting with a secret, or the key of a client certificate, in `npm config list`. */
const WITHHELD = /^(\S+|key|cert) = (?:\(protected\)|".*:\*\*\*@.*"|"-----BEGIN.*)$/gm

/** Log level `http` names every download, which `Progress` counts. */
const INSTALL_OPTIONS = [
  '--no-audit',
  '--no-fund',
  '--no-save',
  '--prefer-offline',
  '--loglevel=http',
  '--fetch-retries=2',
  '--fetch-timeout=300000',
]

/** `--force` accepts a package that is declared for another system. */
function linuxOptions(processor: string): string[] {
  return ['--force', '--ignore-scripts', '--os=linux', `--cpu=${processor}`, '--libc=glibc']
}

/** Reports every ten seconds how many files npm has fetched. */
class Progress {
  #fetched = 0
  readonly #startMs = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(what: string, report: (line: string) => void) {
    report(`npm install ${what}`)
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - this.#startMs) / 1000)
      report(`npm install ${what}: ${countOf(this.#fetched, 'file')} fetched, ${seconds} s`)
    }, PROGRESS_EVERY_MS)
  }

  read(text: string): void {
    this.#fetched += text.match(/npm http fetch GET 200/g)?.length ?? 0
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

function withoutCredentials({ stdout }: { stdout: string }): string {
  const text = lastLine(stdout)
  if (!URL.canParse(text)) return ''
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

function npm(
  args: readonly string[],
  env: Env,
  options: { onStderr?: (text: string) => void; signal?: AbortSignal } = {},
): Promise<ToolEnding> {
  const given = Object.entries(env).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return runTool(['npm', ...args], {
    env: Object.fromEntries(given),
    timeoutMs: MAX_INSTALL_MS,
    cwd: tmpdir(),
    ...options,
  })
}
