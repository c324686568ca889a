import { startPostgres } from '../run/postgres-server.mjs'

/** Starts a PostgreSQL server for all files of a run, and returns a function that stops it. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if ('skipped' in server) throw new Error(`no PostgreSQL: ${server.skipped}`)
  process.env.PROOFBOARD_TEST_POSTGRES = server.url
  return server.stop
}
