// The server's part of the command line: plain JavaScript that generates the database client if needed, bundles the
// TypeScript when it changed, and runs it. The launcher `proofboard` calls it for server commands.
import { ensureGenerated } from '../../setup/build.mjs'
import { ROOT } from '../../setup/layout.mjs'
import { loadProgram } from '../../setup/load-program.mjs'

/** Commands of the server, with a line each for `proofboard --help`. */
export const SERVER_COMMANDS = {
  ledger: 'verify, list and correct the public ledger of this server',
  backup: "copy this server's data while it works, check a copy, restore one",
  database: 'migrate the database, or move it from SQLite to PostgreSQL',
  evidence: 'check, move and sweep the files of episodes, on the disk or in a bucket',
  retention: 'prune logs by age and quota, and verify stored files',
  board: "export a server's artifacts or its board as pages, and rebuild a board byte for byte",
  launch: 'run a frozen plan as shards on other machines: kubernetes, slurm, github',
  queue: 'manage the job queue: list, cancel, resume, prioritise',
  oidc: 'manage workflows that can upload results: allow, list, remove',
  tokens: 'manage upload tokens: create, list, revoke',
  accounts: 'manage accounts: add, list, change roles, reset passwords',
}

/** @param {readonly string[]} argv */
export async function main(argv) {
  await ensureGenerated()
  const console_ = await loadProgram('lib/server/console/main.ts')
  await console_.main(argv, { root: ROOT })
}
