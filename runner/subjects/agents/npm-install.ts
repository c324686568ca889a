import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { countOf, lastLine, parseJson } from '#lib/domain/text/index.ts'
import { stoppedError } from '../../runner-error.ts'
import { runTool, type ToolEnding } from '../../sandbox/process/run-tool.ts'
import { makeScratch } from '../../scratch.ts'
import { findBinary } from './find-binary.ts'

type Own = Readonly<Record<string, string | undefined>>

type How = {
  /** Hears how far it is. */
  tell?: (line: string) => void
  /** Fires when the command is interrupted. */
  signal?: AbortSignal
  /** Installs what Linux on this processor (`x64`) needs, and starts nothing of it; absent = for this machine. */
  linux?: string
}

/** A slow machine unpacks for a long time; npm itself gives up on a silent registry. */
const MAX_INSTALL_MS = 30 * 60_000
const TELL_EVERY_MS = 10_000
/** Variables that npm needs to reach a registry; none is a credential. */
const FOR_NPM = /^(PATH|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i

/**
 * Installs one package into a folder of its own. Null when it went well, else why not. npm gets a HOME of its own, so no
 * credentials, and of the user's settings those by which it reaches a registry and its cache: what was downloaded once is
 * not downloaded again. Throws a RunnerError when the command is interrupted.
 */
export async function npmInstall(
  prefix: string,
  packageAtVersion: string,
  own: Own,
  { tell = () => {}, signal, linux }: How = {},
): Promise<string | null> {
  if (findBinary('npm', own.PATH ?? '') === null) return 'there is no npm in PATH'
  const home = await makeScratch('proofboard-npm')
  const settings = await readSettings(own)
  await writeFile(join(home, '.npmrc'), settings.lines)
  const env = {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => FOR_NPM.test(name))),
    HOME: home,
    npm_config_registry: bareAddress(await npm(['config', 'get', 'registry'], own)),
    npm_config_cache: settings.cache,
  }
  const progress = new Progress(packageAtVersion, tell)
  try {
    const how = [...INSTALL_OPTIONS, ...(linux === undefined ? [] : optionsFor(linux))]
    const args = ['install', '--prefix', prefix, ...how, packageAtVersion]
    const onStderr = (text: string) => progress.hear(text)
    const ending = await npm(args, env, { onStderr, ...(signal && { signal }) })
    if (signal?.aborted) throw stoppedError(`stopped: ${packageAtVersion} was not installed`)
    if (ending.code === 0) return null
    return `${describeEnding(ending, packageAtVersion)}${await describeWithheld(own)}`
  } finally {
    progress.end()
    await rm(home, { recursive: true, force: true })
  }
}

const CACHED = 'what it downloaded is in its cache, so try again'

function describeEnding({ code, endedBy, stdout, stderr }: ToolEnding, what: string): string {
  if (endedBy === 'timeout')
    return `npm was not done after ${MAX_INSTALL_MS / 60_000} minutes; ${CACHED}`
  if (code === null)
    return `npm was ended (${endedBy ?? lastLine(stderr)}) before it was done; ${CACHED}`
  const output = `${stdout}${stderr}`
  const [first = 'it said nothing'] = output.match(/^npm error (?!A complete log).*/gm) ?? []
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
const PASSED_ON = [
  ...(['cafile', 'ca', 'strict-ssl', 'proxy', 'https-proxy', 'noproxy'] as const),
  ...(['fetch-retry-mintimeout', 'fetch-retry-maxtimeout'] as const),
]

/** The user's cache, and the lines of an `.npmrc` with what else of the user's settings is passed on. */
async function readSettings(own: Own): Promise<{ cache: string; lines: string }> {
  const { stdout } = await npm(['config', 'list', '--json'], own)
  const settings = settingsSchema.parse(parseJson(stdout) ?? {})
  const lines = PASSED_ON.flatMap((name) => {
    const value = settings[name]
    if (Array.isArray(value))
      return value.filter(Boolean).map((one) => `${name}[]=${JSON.stringify(one)}`)
    return value === null || value === undefined || value === ''
      ? []
      : [`${name}=${JSON.stringify(value)}`]
  })
  return { cache: settings.cache, lines: `${lines.join('\n')}\n` }
}

/** The user's settings that were kept from npm, as the end of a sentence. */
async function describeWithheld(own: Own): Promise<string> {
  const { stdout } = await npm(['config', 'list'], own)
  const names = [...stdout.matchAll(WITHHELD)].map(([, name = '']) => name)
  if (names.length === 0) return ''
  return `; npm ran without the logins in your npm settings (${names.join(', ')}), which the scripts of a package could read`
}

/** As `npm config list` shows a setting with a secret, or the key of a client certificate. */
const WITHHELD = /^(\S+|key|cert) = (?:\(protected\)|".*:\*\*\*@.*"|"-----BEGIN.*)$/gm

// `http` names every download, which shows that something happens.
const INSTALL_OPTIONS = [
  ...['--no-audit', '--no-fund', '--no-save', '--prefer-offline', '--loglevel=http'],
  ...['--fetch-retries=2', '--fetch-timeout=300000'],
]

/** `--force` accepts a package that names another system. */
function optionsFor(processor: string): string[] {
  return ['--force', '--ignore-scripts', '--os=linux', `--cpu=${processor}`, '--libc=glibc']
}

/** Tells every ten seconds how many files npm has fetched. */
class Progress {
  #fetched = 0
  readonly #startMs = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(what: string, tell: (line: string) => void) {
    tell(`npm install ${what}`)
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - this.#startMs) / 1000)
      tell(`npm install ${what}: ${countOf(this.#fetched, 'file')} fetched, ${seconds} s`)
    }, TELL_EVERY_MS)
  }

  hear(text: string): void {
    this.#fetched += text.match(/npm http fetch GET 200/g)?.length ?? 0
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

function bareAddress({ stdout }: { stdout: string }): string {
  const said = lastLine(stdout)
  if (!URL.canParse(said)) return ''
  const found = new URL(said)
  found.username = ''
  found.password = ''
  return found.href
}

function npm(
  args: readonly string[],
  env: Own,
  how: { onStderr?: (text: string) => void; signal?: AbortSignal } = {},
): Promise<ToolEnding> {
  const given = Object.entries(env).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return runTool(['npm', ...args], {
    env: Object.fromEntries(given),
    timeoutMs: MAX_INSTALL_MS,
    cwd: tmpdir(),
    ...how,
  })
}
