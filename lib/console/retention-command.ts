import type { Command } from 'commander'
import { env } from '#lib/env.ts'
import { withServerDatabase } from '#lib/ledger/with-server-database.ts'
import { checkEvidence, pruneNow } from '#lib/retention/retention-requests.ts'
import { answer, answerJson, complain } from './output.ts'

type Options = { dryRun?: boolean; verify?: boolean; json?: boolean }

/** `proofboard retention`: prune logs now, say what would go, or check what is there. */
export function addRetentionCommand(program: Command): void {
  program
    .command('retention')
    .description(
      'delete old logs by PROOFBOARD_LOG_QUOTA and PROOFBOARD_KEEP_LOGS_DAYS; envelopes, plans, solutions and grading evidence are kept',
    )
    .option('--dry-run', 'only print what would be deleted')
    .option('--verify', 'compare every evidence file with its sealed digest instead')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(({ dryRun = false, verify = false, json = false }: Options) =>
      withServerDatabase(() => (verify ? check(json) : prune(dryRun, json))),
    )
}

async function prune(dryRun: boolean, json: boolean): Promise<void> {
  const { logQuotaBytes, keepLogsDays } = env()
  if (logQuotaBytes === null && keepLogsDays === null)
    complain('neither PROOFBOARD_LOG_QUOTA nor PROOFBOARD_KEEP_LOGS_DAYS is set: nothing is pruned')
  const { chosen } = await pruneNow(dryRun)
  const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0)
  if (json) return answerJson({ dryRun, files: chosen.length, bytes, chosen })
  for (const { path, bytes: size, reason } of chosen) complain(`${path}: ${size} bytes, ${reason}`)
  answer(`${chosen.length} files, ${bytes} bytes ${dryRun ? 'would be deleted' : 'deleted'}`)
}

async function check(json: boolean): Promise<void> {
  const found = await checkEvidence()
  if (found.problems.length > 0) process.exitCode = 1
  for (const { place, problem } of found.problems) complain(`${place}: ${problem}`)
  if (json) return answerJson(found)
  const { whole, pruned, problems } = found
  answer(`${whole} files verified, ${pruned} pruned, ${problems.length} problems`)
}
