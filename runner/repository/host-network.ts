import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { findTool } from '../sandbox/process/find-tool.ts'
import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { CA_BUNDLES } from './read-toolchains.ts'

/** Settings by which this machine's package managers reach their registries, without any password or token. */
export type HostNetwork = {
  /** All certificates that they trust, in PEM; null = nothing is configured, so each tool trusts its own. */
  certificates: string | null
  env: Record<string, string>
  /** Lines for the user's `.npmrc`. */
  npmrc: string[]
  /** Names of settings that were found, and of those withheld because they may contain a secret. */
  found: string[]
  withheld: string[]
}

/** Variables that name a file of certificates. */
const CERTIFICATE_NAMES = [
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['PIP_CERT', 'GIT_SSL_CAINFO', 'CARGO_HTTP_CAINFO'],
]
/** The same of package managers that read none of them. */
const OF_MANAGERS = ['npm_config_cafile', 'YARN_HTTPS_CA_FILE_PATH']

const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']
const GO_DEFAULTS: Readonly<Record<string, string>> = {
  GOPROXY: 'https://proxy.golang.org,direct',
  GOSUMDB: 'sum.golang.org',
  GOPRIVATE: '',
  GONOPROXY: '',
  GONOSUMDB: '',
}
/** A set-up may install these programs itself, so they are passed on without asking the program. */
const PLAIN_NAMES = [
  ...PROXY_NAMES.flatMap((name) => [name, name.toLowerCase()]),
  ...['UV_DEFAULT_INDEX', 'UV_INDEX', 'UV_INDEX_URL', 'UV_EXTRA_INDEX_URL'],
  ...['YARN_NPM_REGISTRY_SERVER', 'YARN_REGISTRY'],
  ...Object.keys(GO_DEFAULTS),
]
const PIP_SETTINGS: Readonly<Record<string, string>> = {
  'index-url': 'PIP_INDEX_URL',
  'extra-index-url': 'PIP_EXTRA_INDEX_URL',
  proxy: 'PIP_PROXY',
  'trusted-host': 'PIP_TRUSTED_HOST',
}
const NPM_DEFAULT_REGISTRY = 'https://registry.npmjs.org/'

/** Reads the settings from the environment and from the configuration of npm, pip, go and git. */
export async function readHostNetwork(env: Env = RUNNER_ENV): Promise<HostNetwork> {
  const read: HostNetwork = { certificates: null, env: {}, npmrc: [], found: [], withheld: [] }
  const files = new Map(CERTIFICATE_NAMES.map((name) => [name, env[name] ?? '']))
  for (const name of PLAIN_NAMES) pass(read, name, env[name] ?? '')
  const [npm, pip, go, git] = await Promise.all([askNpm(env), askPip(env), askGo(env), askGit(env)])
  files.set('npm cafile', textOf(npm.cafile))
  takeNpm(read, npm)
  files.set('pip cert', pip.get('cert') ?? '')
  for (const [key, name] of Object.entries(PIP_SETTINGS)) pass(read, name, pip.get(key) ?? '')
  for (const [name, value] of go) if (!env[name]) pass(read, name, value)
  files.set('git http.sslCAInfo', git.get('http.sslcainfo') ?? '')
  const proxy = read.env.HTTPS_PROXY ?? read.env.https_proxy
  if (proxy === undefined) pass(read, 'HTTPS_PROXY', git.get('http.proxy') ?? '', 'git http.proxy')
  takeCertificates(read, files, { inline: npm.ca, trustsSystem: trustsSystem(env) })
  return read
}

const trustsSystem = (env: Env) =>
  env.NODE_USE_SYSTEM_CA === '1' || /--use-system-ca/.test(env.NODE_OPTIONS ?? '')

async function askGo(env: Env): Promise<[name: string, value: string][]> {
  const output = parseJson(await ask(env, ['go', 'env', '-json', ...Object.keys(GO_DEFAULTS)]))
  const settings = typeof output === 'object' && output !== null ? Object.entries(output) : []
  return settings.flatMap(([name, value]) =>
    value === GO_DEFAULTS[name] ? [] : [[name, textOf(value)]],
  )
}

async function askGit(env: Env): Promise<Map<string, string>> {
  const output = await ask(env, ['git', 'config', '--get-regexp', '^http\\.(sslcainfo|proxy)$'])
  return new Map(output.split('\n').map((line) => splitAt(line, ' ')))
}

async function askPip(env: Env): Promise<Map<string, string>> {
  return parsePip(await ask(env, ['pip3', 'config', 'list']))
}

const splitAt = (line: string, mark: string): [string, string] => {
  const at = line.indexOf(mark)
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + mark.length).trim()]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const ASK_MS = 20_000

/** Returns what a tool of this machine prints; '' = it is not installed, or fails. */
async function ask(environment: Env, [name = '', ...args]: string[]): Promise<string> {
  const tool = findTool(name)
  if (tool === null) return ''
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  )
  const { code, stdout } = await runTool([tool, ...args], { env, timeoutMs: ASK_MS })
  return code === 0 ? stdout : ''
}

async function askNpm(env: Env): Promise<Record<string, unknown>> {
  const config = parseJson(await ask(env, ['npm', 'config', 'ls', '--json']))
  return typeof config === 'object' && config !== null ? { ...config } : {}
}

/** `global.index-url='https://…'`; a variable is `:env:.index-url='https://…'`, and comes last. */
function parsePip(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/^(?::env:|[\w-]+)\.([\w-]+)='(.*)'$/gm)]
  return new Map(
    pairs.map(([, key = '', value = '']) => [key, value.replaceAll('\\n', ' ').trim()]),
  )
}

/** Passes a setting on, unless it may contain a secret. */
function pass(read: HostNetwork, name: string, value: string, shown = name): void {
  if (value === '') return
  if (mayContainSecret(value)) read.withheld.push(shown)
  else {
    read.env[name] = value
    read.found.push(shown)
  }
}

const TOKEN = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** A user name in a URL, a query, and a long part of its path with letters and digits may be secrets. */
export function mayContainSecret(value: string): boolean {
  return value.split(/[\s,|]+/).some((part) => {
    if (/[\w%]@|[?#]/.test(part)) return true
    const path = part.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '')
    return path !== part && path.split('/').some((one) => TOKEN.test(one))
  })
}

function takeNpm(read: HostNetwork, npm: Record<string, unknown>): void {
  const proxies = ['proxy', 'https-proxy', 'noproxy']
  if (npm['strict-ssl'] === false) {
    read.npmrc.push('strict-ssl=false')
    read.found.push('npm strict-ssl')
  }
  const lines = Object.entries(npm).filter(([key, value]) => {
    const isRegistry = key === 'registry' && value !== NPM_DEFAULT_REGISTRY
    return isRegistry || /^@[\w.-]+:registry$/.test(key) || proxies.includes(key)
  })
  for (const [key, value] of lines) {
    const text = [value].flat().map(textOf).filter(Boolean).join(',')
    if (text === '') continue
    if (mayContainSecret(text)) read.withheld.push(`npm ${key}`)
    else {
      read.npmrc.push(`${key}=${text}`)
      read.found.push(`npm ${key}`)
      if (key === 'registry') read.env.YARN_NPM_REGISTRY_SERVER ??= text
    }
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/**
 * Puts the certificates of all files into one, with those that every tool trusts anyway: some of these settings add to
 * a tool's own, others replace them. Private keys in the same file are left behind.
 */
function takeCertificates(
  read: HostNetwork,
  files: ReadonlyMap<string, string>,
  { inline, trustsSystem: isSystem }: { inline: unknown; trustsSystem: boolean },
): void {
  const texts = [...files].flatMap(([name, path]) => {
    const own = path === '' ? [] : readCertificates(path)
    if (own.length > 0) read.found.push(name)
    return own
  })
  const given = [inline].flat().map(textOf).join('\n').replaceAll('\\n', '\n').match(CERTIFICATE)
  if (given !== null) read.found.push('npm ca')
  texts.push(...(given ?? []))
  if (isSystem) read.found.push('NODE_USE_SYSTEM_CA')
  if (texts.length === 0 && !isSystem) return
  const ofSystem = readCertificates(CA_BUNDLES.find(existsSync) ?? '')
  read.certificates = `${[...new Set([...texts, ...ofSystem, ...rootCertificates])].join('\n')}\n`
}

function readCertificates(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').match(CERTIFICATE) ?? []
  } catch {
    return []
  }
}

let hostNetwork: Promise<HostNetwork> | null = null

const BUNDLE = '.certificates.pem'

/**
 * Writes the settings of this machine into the fresh HOME of a set-up that may use the network; returns the variables
 * to add to its environment. `inside` = the path of HOME in the sandbox.
 */
export async function giveHostNetwork(
  home: string,
  inside: string,
): Promise<Record<string, string>> {
  hostNetwork ??= readHostNetwork()
  const { certificates, env, npmrc } = await hostNetwork
  await mkdir(home, { recursive: true })
  if (npmrc.length > 0) await writeReadable(join(home, '.npmrc'), `${npmrc.join('\n')}\n`)
  if (certificates === null) return env
  await writeReadable(join(home, BUNDLE), certificates)
  const path = join(inside, BUNDLE)
  const names = [...CERTIFICATE_NAMES, ...OF_MANAGERS]
  return { ...env, ...Object.fromEntries(names.map((name) => [name, path])) }
}

/** The set-up may run as another user, whatever this process's umask is. */
async function writeReadable(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await chmod(path, 0o644)
}

/** Describes the settings for `doctor`. */
export function describeHostNetwork({ found, withheld, certificates }: HostNetwork): string {
  const count = certificates?.match(CERTIFICATE)?.length ?? 0
  const own = found.length === 0 ? 'none of its own' : found.join(', ')
  const trusted = count > 0 ? ` (${countOf(count, 'certificate')})` : ''
  const secret =
    withheld.length === 0
      ? ''
      : `; not passed on, as it may contain a secret: ${withheld.join(', ')}`
  return `set-up commands get this machine's certificates, proxies and registries: ${own}${trusted}${secret}`
}
