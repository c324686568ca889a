import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isTimeZone } from '#lib/domain/text/index.ts'
import { hostInUrl } from '#lib/setup/host.mjs'
import { databaseUrl, flag, issuers, keepDays, size, webhooks } from './env-values.ts'
import { AppError } from './errors.ts'

const schema = z.object({
  TZ: z.string().refine(isTimeZone, 'expected a time zone such as Europe/Berlin').optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The address that the web server listens on; default: this machine only. */
  HOST: z.string().optional(),
  /** The repository; needed only by a process that was started elsewhere. */
  PROOFBOARD_ROOT: z.string().min(1).optional(),
  PROOFBOARD_DATA_DIR: z.string().min(1).optional(),
  /** A PostgreSQL server for the database; default: a SQLite file in the data folder. */
  DATABASE_URL: databaseUrl.optional(),
  /** Name of this machine among those that share a database (lib/setup/host.mjs); default: its own id. */
  PROOFBOARD_HOST_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected up to 64 letters, digits, dots and dashes')
    .optional(),
  /**
   * Folder of the keys that sign sessions and the ledger, the same for all hosts of one database; default: the data
   * folder.
   */
  PROOFBOARD_SECRETS_DIR: z.string().min(1).optional(),
  PROOFBOARD_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** 1 = stdin is a pipe from the parent process; when it closes, this process stops. */
  PROOFBOARD_SUPERVISED: flag.default(false),
  /** The runner's command line, started with node. */
  PROOFBOARD_RUNNER: z.string().min(1).default('runner/cli/proofboard.mjs'),
  /** 0 = does not queue runs on the first boot. */
  PROOFBOARD_FIRST_RUNS: flag.default(true),
  /** Public address behind a proxy; https makes the cookies secure. */
  PROOFBOARD_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** 1 = a trusted proxy in front of the server adds each peer's address to X-Forwarded-For. */
  PROOFBOARD_TRUSTED_PROXY: flag.default(false),
  /** Requests to the public API per minute and address; 0 = unlimited. */
  PROOFBOARD_READS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(600),
  /** Concurrent episodes on this machine over all its jobs; default: one per core. */
  PROOFBOARD_CONCURRENCY: z.coerce.number().int().min(1).max(256).optional(),
  /** Concurrent episodes per provider; `anthropic=8,openai=4` sets some separately. */
  PROOFBOARD_PROVIDER_CONCURRENCY: z
    .string()
    .regex(
      /^([a-z0-9-]+=)?\d{1,3}(,([a-z0-9-]+=)?\d{1,3})*$/,
      'expected 4, or anthropic=8,openai=4',
    )
    .default('4'),
  /** Maximum size of all run folders; beyond it, the oldest logs that no number depends on are deleted. */
  PROOFBOARD_LOG_QUOTA: size.optional(),
  /** Deletes logs older than this, unless a claim on a board depends on their episodes. */
  PROOFBOARD_KEEP_LOGS_DAYS: keepDays.optional(),
  /** The bucket for evidence, `s3://bucket/prefix?endpoint=…&region=…`; default: the data folder. */
  PROOFBOARD_EVIDENCE_URL: z.string().min(1).optional(),
  /** Minimum free disk space for starting a job. */
  PROOFBOARD_MIN_FREE: size.default(1e9),
  /** Also appends log lines to this file. */
  PROOFBOARD_LOG_FILE: z.string().min(1).optional(),
  /** Submissions per minute from one token or repository. */
  PROOFBOARD_WRITES_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(60),
  /** Issuers whose identity tokens are accepted, separated by commas; `none` = none. */
  PROOFBOARD_OIDC_ISSUERS: issuers.default(['https://token.actions.githubusercontent.com']),
  /** Required audience of tokens; default: the public address. */
  PROOFBOARD_OIDC_AUDIENCE: z.string().min(1).max(300).optional(),
  /** File of the other machines that can run jobs, relative to the data folder. */
  PROOFBOARD_EXECUTORS: z.string().min(1).default('executors.yaml'),
  /**
   * Addresses that receive notifications of runs and entries, separated by commas; `slack:` before one = in Slack's
   * format.
   */
  PROOFBOARD_WEBHOOKS: webhooks.default([]),
  /** Signs what is sent to them. */
  PROOFBOARD_WEBHOOK_SECRET: z.string().min(16, 'expected at least 16 characters').optional(),
})

export type LogLevel = z.infer<typeof schema>['PROOFBOARD_LOG_LEVEL']

/** Paths and behaviour of this process; read once, at the start. */
type Env = ReturnType<typeof readEnv>

const orNull = (text: string | undefined) => text ?? null

/** Parses the environment. Throws with one line that names the invalid variable. */
export function readEnv(source: Readonly<Record<string, string | undefined>>) {
  const values = parseVariables(source)
  // The bundler must not treat these folders as parts of the server.
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
    /** Null = not set, requests to any host are accepted. */
    siteUrl: orNull(values.PROOFBOARD_URL),
    writesPerMinute: values.PROOFBOARD_WRITES_PER_MINUTE,
    oidcIssuers: values.PROOFBOARD_OIDC_ISSUERS,
    oidcAudience: values.PROOFBOARD_OIDC_AUDIENCE ?? publicUrl,
    trustedProxy: values.PROOFBOARD_TRUSTED_PROXY,
    readsPerMinute: values.PROOFBOARD_READS_PER_MINUTE,
    /** Concurrent episodes: total, and per provider (`*` = any that is not named). */
    concurrency: values.PROOFBOARD_CONCURRENCY ?? availableParallelism(),
    providerConcurrency: readProviders(values.PROOFBOARD_PROVIDER_CONCURRENCY),
    /** Null = never pruned for that reason. */
    logQuotaBytes: values.PROOFBOARD_LOG_QUOTA ?? null,
    keepLogsDays: values.PROOFBOARD_KEEP_LOGS_DAYS ?? null,
    minFreeBytes: values.PROOFBOARD_MIN_FREE,
    evidenceUrl: orNull(values.PROOFBOARD_EVIDENCE_URL),
    logFile: values.PROOFBOARD_LOG_FILE
      ? resolve(/* turbopackIgnore: true */ root, values.PROOFBOARD_LOG_FILE)
      : null,
    notifications: {
      webhooks: values.PROOFBOARD_WEBHOOKS,
      secret: orNull(values.PROOFBOARD_WEBHOOK_SECRET),
    },
    executorsFile: resolve(/* turbopackIgnore: true */ dataDir, values.PROOFBOARD_EXECUTORS),
    root,
    dataDir,
    /** The SQLite file in the data folder. */
    databaseFile: join(dataDir, 'proofboard.db'),
    runsDir: join(dataDir, 'runs'),
    suitesDir: join(dataDir, 'suites'),
    /** Folder of uploads that wait for confirmation. */
    uploadsDir: join(dataDir, 'uploads'),
    /** The URL of a PostgreSQL server, or the database file. */
    database: values.DATABASE_URL ?? join(dataDir, 'proofboard.db'),
    secretsDir: resolve(/* turbopackIgnore: true */ root, values.PROOFBOARD_SECRETS_DIR ?? dataDir),
    /** SQLite's migrations; those of PostgreSQL are beside them. */
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

/** Returns this process's environment, parsed on first use. */
export function env(): Env {
  settled ??= readEnv(process.env)
  return settled
}

/** Fixes the environment of a command that may be called from any folder: relative paths refer to that folder. */
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

/** Variables passed to the runner: enough to start programs and find what it measures with. */
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
/** Property where a launcher stores the keys that it removed from its environment: lib/setup/take-keys.mjs. */
const KEY_SLOT = Symbol.for('proofboard.provider-keys')
/** Property with the names of variables that are part of a provider's address. */
const PLACES_SLOT = Symbol.for('proofboard.provider-places')

/**
 * Returns the keys of model providers, for the runner's gateway only: they are passed through a pipe and never through
 * an environment.
 */
export function providerKeys(
  source: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const taken = (globalThis as Record<symbol, unknown>)[KEY_SLOT] as Record<string, string>
  const own = Object.entries(source).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && PROVIDER_KEY.test(pair[0]),
  )
  return { ...Object.fromEntries(own), ...taken }
}

/** Returns the keys that sign requests to the evidence bucket; null = not set. Never part of a log or a message. */
export function bucketKeys(source: Readonly<Record<string, string | undefined>> = process.env) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = source
  const sessionToken = source.AWS_SESSION_TOKEN || null
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null
}

/** Returns the runner's whole environment. */
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
/** Returns the address of the cluster's API for a pod; null = this process does not run in one. */
export function clusterAddress(): string | null {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  return host ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : null
}
/**
 * Returns a secret from the variable that a setting names, trimmed; null = not set. Never part of a log or a message.
 */
export const namedSecret = (name: string): string | null => process.env[name]?.trim() || null
let known: string | undefined
/** Returns the version of Proofboard from its package.json. */
export function currentVersion(): string {
  const file = join(env().root, 'package.json')
  known ??= z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
  return known
}
