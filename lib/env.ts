import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isTimeZone } from '#lib/domain/record/index.ts'
import { hostInUrl } from '#lib/setup/host.mjs'
import { databaseUrl, flag, issuers, keepDays, size } from './env-values.ts'
import { AppError } from './errors.ts'

const schema = z.object({
  TZ: z.string().refine(isTimeZone, 'expected a time zone such as Europe/Berlin').optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The address that the web server listens on; default: this machine alone. */
  HOST: z.string().optional(),
  /** The repository; only a process that was started elsewhere needs it. */
  PROOFBOARD_ROOT: z.string().min(1).optional(),
  PROOFBOARD_DATA_DIR: z.string().min(1).optional(),
  /** A PostgreSQL server for the database; default: a SQLite file in the data folder. */
  DATABASE_URL: databaseUrl.optional(),
  /** What this machine is called among those of one database (lib/setup/host.mjs); default: its own id. */
  PROOFBOARD_HOST_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected up to 64 letters, digits, dots and dashes')
    .optional(),
  /** The keys that sign sessions and ledger, the same for all hosts of one database; default: the data folder. */
  PROOFBOARD_SECRETS_DIR: z.string().min(1).optional(),
  PROOFBOARD_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** 1 = stdin is a pipe from the parent process; when it closes, this process stops. */
  PROOFBOARD_SUPERVISED: flag.default(false),
  /** The runner's command line, started with node. */
  PROOFBOARD_RUNNER: z.string().min(1).default('runner/cli/proofboard.mjs'),
  /** 0 = do not queue runs by itself on the first boot. */
  PROOFBOARD_FIRST_RUNS: flag.default(true),
  /** The address people see, where a proxy stands before us; https makes the cookies secure. */
  PROOFBOARD_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** 1 = a proxy of ours stands before the server and adds each peer's address to X-Forwarded-For. */
  PROOFBOARD_TRUSTED_PROXY: flag.default(false),
  /** Reads of the public API that one address may make in a minute; 0 = as many as it likes. */
  PROOFBOARD_READS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(600),
  /** Episodes that this machine runs at the same time, over all its jobs; default: one for each core. */
  PROOFBOARD_CONCURRENCY: z.coerce.number().int().min(1).max(256).optional(),
  /** Of these, how many may ask one provider; `anthropic=8,openai=4` names some apart. */
  PROOFBOARD_PROVIDER_CONCURRENCY: z
    .string()
    .regex(
      /^([a-z0-9-]+=)?\d{1,3}(,([a-z0-9-]+=)?\d{1,3})*$/,
      'expected 4, or anthropic=8,openai=4',
    )
    .default('4'),
  /** What run folders may take in all; over it the oldest logs that no number rests on are taken off the disk. */
  PROOFBOARD_LOG_QUOTA: size.optional(),
  /** Logs older than this go, unless a claim on a board rests on their episodes. */
  PROOFBOARD_KEEP_LOGS_DAYS: keepDays.optional(),
  /** The bucket for evidence, `s3://bucket/prefix?endpoint=…&region=…`; default: the data folder. */
  PROOFBOARD_EVIDENCE_URL: z.string().min(1).optional(),
  /** With less room on the disk no job is started. */
  PROOFBOARD_MIN_FREE: size.default(1e9),
  /** Log lines are added to this file too. */
  PROOFBOARD_LOG_FILE: z.string().min(1).optional(),
  /** Results that one token or repository may send in a minute. */
  PROOFBOARD_WRITES_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(60),
  /** Issuers whose identity tokens are accepted, separated by commas; `none` = none. */
  PROOFBOARD_OIDC_ISSUERS: issuers.default(['https://token.actions.githubusercontent.com']),
  /** Whom a token has to be for; default: the address people see. */
  PROOFBOARD_OIDC_AUDIENCE: z.string().min(1).max(300).optional(),
  /** The file that says on which other machines runs may be started, from the data folder on. */
  PROOFBOARD_EXECUTORS: z.string().min(1).default('executors.yaml'),
  /** Set by `board export --static` alone: this server renders a static copy, made of the board of that moment. */
  PROOFBOARD_STATIC_COPY: z.iso.datetime().optional(),
})

export type LogLevel = z.infer<typeof schema>['PROOFBOARD_LOG_LEVEL']

/** Paths and behaviour of this process; read once, at the start. */
export type Env = {
  port: number
  logLevel: LogLevel
  supervised: boolean
  firstRuns: boolean
  publicUrl: string
  /** PROOFBOARD_URL; null = it is not set, and any host is answered. */
  siteUrl: string | null
  trustedProxy: boolean
  /** Of one address, on the public API; 0 = no limit. */
  readsPerMinute: number
  /** Episodes at the same time: in all, and of one provider (`*` = of any that is not named). */
  concurrency: number
  providerConcurrency: ReadonlyMap<string, number>
  /** Bytes of all run folders, days of logs; null = nothing is ever pruned for that reason. */
  logQuotaBytes: number | null
  keepLogsDays: number | null
  minFreeBytes: number
  evidenceUrl: string | null
  /** Null = log lines go to stderr alone. */
  logFile: string | null
  /** Results that one sender may send in a minute. */
  writesPerMinute: number
  /** Issuers of identity tokens, and whom those have to be for. */
  oidcIssuers: readonly string[]
  oidcAudience: string
  executorsFile: string
  /** The moment of which this server renders a static copy; null = it serves people. */
  staticCopyOf: string | null
  root: string
  dataDir: string
  /** Where the database is: the address of a PostgreSQL server, or the file. */
  database: string
  /** Folder of the keys that sign sessions and the ledger. */
  secretsDir: string
  /** The SQLite file in the data folder. */
  databaseFile: string
  runsDir: string
  suitesDir: string
  /** Uploaded files that wait for confirmation. */
  uploadsDir: string
  /** SQLite's migrations; those of PostgreSQL stand beside them. */
  migrationsDir: string
  runnerPath: string
}

const orNull = (text: string | undefined) => text ?? null

/** Reads the environment or refuses it with one line that names the variable. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const values = parseVariables(source)
  // The bundler must not take these folders for parts of the server.
  const root = resolve(/* turbopackIgnore: true */ values.PROOFBOARD_ROOT ?? '.')
  const dataDir = resolve(
    /* turbopackIgnore: true */ root,
    values.PROOFBOARD_DATA_DIR ?? '.proofboard',
  )
  const publicUrl =
    values.PROOFBOARD_URL ?? `http://${hostInUrl(values.HOST?.trim())}:${values.PORT}`
  return {
    port: values.PORT,
    logLevel: values.PROOFBOARD_LOG_LEVEL,
    supervised: values.PROOFBOARD_SUPERVISED,
    firstRuns: values.PROOFBOARD_FIRST_RUNS,
    publicUrl,
    siteUrl: orNull(values.PROOFBOARD_URL),
    writesPerMinute: values.PROOFBOARD_WRITES_PER_MINUTE,
    oidcIssuers: values.PROOFBOARD_OIDC_ISSUERS,
    oidcAudience: values.PROOFBOARD_OIDC_AUDIENCE ?? publicUrl,
    trustedProxy: values.PROOFBOARD_TRUSTED_PROXY,
    staticCopyOf: orNull(values.PROOFBOARD_STATIC_COPY),
    readsPerMinute: values.PROOFBOARD_READS_PER_MINUTE,
    concurrency: values.PROOFBOARD_CONCURRENCY ?? availableParallelism(),
    providerConcurrency: readProviders(values.PROOFBOARD_PROVIDER_CONCURRENCY),
    logQuotaBytes: values.PROOFBOARD_LOG_QUOTA ?? null,
    keepLogsDays: values.PROOFBOARD_KEEP_LOGS_DAYS ?? null,
    minFreeBytes: values.PROOFBOARD_MIN_FREE,
    evidenceUrl: orNull(values.PROOFBOARD_EVIDENCE_URL),
    logFile: values.PROOFBOARD_LOG_FILE
      ? resolve(/* turbopackIgnore: true */ root, values.PROOFBOARD_LOG_FILE)
      : null,
    executorsFile: resolve(/* turbopackIgnore: true */ dataDir, values.PROOFBOARD_EXECUTORS),
    root,
    ...placesOf(dataDir),
    ...(values.DATABASE_URL && { database: values.DATABASE_URL }),
    secretsDir: resolve(/* turbopackIgnore: true */ root, values.PROOFBOARD_SECRETS_DIR ?? dataDir),
    migrationsDir: join(root, 'prisma/sqlite/migrations'),
    runnerPath: resolve(/* turbopackIgnore: true */ root, values.PROOFBOARD_RUNNER),
  }
}

function parseVariables(source: Readonly<Record<string, string | undefined>>) {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(filled)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new AppError('bad-configuration', `environment variable ${lines.join('; ')}`)
}

function readProviders(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(',').map((part) => part.split('='))
  return new Map(pairs.map(([first = '', count]) => [count ? first : '*', Number(count ?? first)]))
}

let settled: Env | undefined

/** This process's environment, read on first use. */
export function env(): Env {
  settled ??= readEnv(process.env)
  return settled
}

function placesOf(dataDir: string) {
  return {
    dataDir,
    database: join(dataDir, 'proofboard.db'),
    secretsDir: dataDir,
    databaseFile: join(dataDir, 'proofboard.db'),
    runsDir: join(dataDir, 'runs'),
    suitesDir: join(dataDir, 'suites'),
    uploadsDir: join(dataDir, 'uploads'),
  }
}

/** Settles the environment of a command that may be called from any folder: paths it was given are that folder's. */
export function settleEnv(root: string): Env {
  const { PROOFBOARD_ROOT, PROOFBOARD_DATA_DIR: dataDir, PROOFBOARD_LOG_LEVEL } = process.env
  const { PROOFBOARD_SECRETS_DIR: secretsDir } = process.env
  settled = readEnv({
    ...process.env,
    PROOFBOARD_ROOT: PROOFBOARD_ROOT || root,
    PROOFBOARD_DATA_DIR: dataDir && resolve(dataDir),
    PROOFBOARD_SECRETS_DIR: secretsDir && resolve(secretsDir),
    PROOFBOARD_LOG_LEVEL: PROOFBOARD_LOG_LEVEL || 'warn',
  })
  return settled
}

/** What a runner may see of our environment: enough to start programs and find what it measures with. */
const RUNNER_VARIABLES = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'DOCKER_CONTEXT',
  'DOCKER_HOST',
  'PROOFBOARD_AGENTS_DIR',
  'PROOFBOARD_CHROMEDRIVER',
  'PROOFBOARD_CHROMIUM',
  'PROOFBOARD_LIBRARY_SANDBOX',
  'PROOFBOARD_VERIFIER_SANDBOX',
  'PROOFBOARD_CHROMIUM_NO_SANDBOX',
  'PROOFBOARD_DATA_DIR',
  'PROOFBOARD_HOST_ID',
  'PROOFBOARD_OPENCHROME',
  'PROOFBOARD_PROVIDERS',
])
const PROVIDER_KEY = /^[A-Z][A-Z0-9_]*_API_KEY$/
/** Where a launcher puts the keys that it took out of its environment: lib/setup/take-keys.mjs. */
const KEY_SLOT = Symbol.for('proofboard.provider-keys')
/** And the names of variables that are part of a provider's address. */
const PLACES_SLOT = Symbol.for('proofboard.provider-places')

/** Keys of model providers, for the runner's gateway alone: they go through a pipe and stand in no environment. */
export function providerKeys(
  source: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const taken = (globalThis as Record<symbol, unknown>)[KEY_SLOT] as Record<string, string>
  const own = Object.entries(source).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && PROVIDER_KEY.test(pair[0]),
  )
  return { ...Object.fromEntries(own), ...taken }
}

/** What signs requests to the bucket of evidence; null = it is not set. Never part of a log or a message. */
export function bucketKeys(source: Readonly<Record<string, string | undefined>> = process.env) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = source
  const sessionToken = source.AWS_SESSION_TOKEN || null
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null
}

/** The runner's whole environment. */
export function runnerEnv(
  source: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const places = (globalThis as Record<symbol, unknown>)[PLACES_SLOT] as string[] | undefined
  const passed = new Set([...RUNNER_VARIABLES, ...(places ?? [])])
  const pairs = Object.entries(source).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && passed.has(pair[0]),
  )
  return Object.fromEntries(pairs)
}
/** Where a pod finds the API of its cluster; null = this process is in none. */
export function clusterAddress(): string | null {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  return host ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : null
}
/** A secret whose variable a setting names, trimmed; null = it is not set. Never part of a log or a message. */
export const namedSecret = (name: string): string | null => process.env[name]?.trim() || null
let known: string | undefined
/** The version of this Proofboard, as its package.json says. */
export function currentVersion(): string {
  const file = join(env().root, 'package.json')
  known ??= z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
  return known
}
