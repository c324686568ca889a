import { NEEDS_PERSON } from '#lib/setup/serve/exit-codes.mjs'
import { closeDataFolder } from '../../close-data-folder.ts'
import { watchSchema } from '../../db/watch-schema.ts'
import { SYSTEM_ACTOR } from '../../domain/accounts/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { actionKey } from '../accounts/auth.ts'
import { issueSetupLink } from '../accounts/setup-links.ts'
import { needsPerson, startDatabase } from '../care/start-database.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { prepareRequests } from './peer-address.ts'
import { drainSignal } from './respond-events.ts'

/** Time for responses in progress once the server is stopping. */
const DRAIN_MS = 5000

/** Runs once per server process: migrates the database, or ends the server with a one-line reason. */
export async function bootServer(): Promise<void> {
  const log = createLog('server')
  try {
    closeDataFolder(env().dataDir)
    evidenceStore() // an invalid setting fails at the start, not at the first read
    const upgrade = await startDatabase()
    if (upgrade) log.info('database upgraded', upgrade)
    watchSchema(endAtOnce)
    if (env().supervised) endWithSupervisor()
    // biome-ignore lint/style/noProcessEnv: Next's own variable, for a key that all servers of a board have to share
    process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = actionKey()
    boundDraining()
    prepareRequests()
    await logSetupLink()
    if (env().supervised) process.stdout.write('booted\n') // `npm start` waits for this line
  } catch (error) {
    const message = error instanceof AppError ? error.message : String(error)
    process.stderr.write(`proofboard cannot start: ${message}\n`)
    process.exit(needsPerson(error) ? NEEDS_PERSON : 1)
  }
}

function endAtOnce(message: string): void {
  process.stderr.write(`proofboard stops: ${message}\n`)
  process.exit(NEEDS_PERSON)
}

/** Limits Next's shutdown, which waits for responses in progress without a timeout. */
function boundDraining(): void {
  const end = () => setTimeout(() => process.exit(0), DRAIN_MS).unref()
  drainSignal().addEventListener('abort', end, { once: true })
}

/**
 * Logs how to create the first account, while there is none, as text for the terminal (`npm start` shows `set up:`).
 */
async function logSetupLink(): Promise<void> {
  const link = await issueSetupLink(SYSTEM_ACTOR)
  if (link === null) return
  const words = 'no accounts yet; create the first one within 24 hours with this one-time link'
  process.stdout.write(`set up: ${words}\nset up: ${link}\n`)
}

/** Stops the server when stdin closes: the parent process has its other end, and is gone then. */
function endWithSupervisor(): void {
  const end = () => process.kill(process.pid, 'SIGTERM')
  process.stdin.once('end', end).once('error', end).resume()
}

const log = createLog('pages')

/** Logs a page that failed to render, with the digest that its visitor sees. */
export function logPageError(
  error: unknown,
  { path, method, requestId }: { path: string; method: string; requestId: string | null },
): void {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  const place = path.split('?')[0]
  log.error('a page failed, please report this bug', {
    digest,
    method,
    path: place,
    requestId,
    error,
  })
}
