import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { describeAction, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import {
  correct,
  describeCorrection,
  SIMPLE_KINDS,
  type SimpleKind,
} from '#lib/server/care/corrections.ts'
import { listLedgerEntries, readCurrentHead, registerRun } from '#lib/server/care/ledger.ts'
import { readHead } from '#lib/server/care/ledger-heads.ts'
import { type Verification, verifyBusyServer, verifyCopy } from '#lib/server/care/verify-archive.ts'
import { withServerDatabase } from '#lib/server/care/with-server-database.ts'
import { announceLocalRun, collectLocalRun, ensureDatabase } from '#lib/worker/local-runs.ts'
import { printElsewhere, printError, printJson, printProblems, printText } from './output.ts'

type Json = { json?: boolean }
type VerifyOptions = Json & { from?: string; head?: string }
type RegisterOptions = { plan: string; runId: string; shard?: string | null; pid?: string }

/** `proofboard server ledger …`: verify, list, add. */
export function addLedgerCommand(program: Command): void {
  const ledger = program.command('ledger').description('the public, append-only ledger')
  ledger
    .command('verify')
    .description('verify the ledger and the data of this server')
    .option('--from <path>', 'a ledger file or an exported archive instead of this server')
    .option('--head <file>', 'an earlier signed head that the ledger must contain')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(verify)
  ledger
    .command('head')
    .description('print the signed head; store it elsewhere to detect a rewritten ledger')
    .action(head)
  ledger
    .command('list')
    .description('list all entries, oldest first')
    .option('--target <id>', 'only entries about this run, row, episode or suite')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
  ledger
    .command('register', { hidden: true })
    .requiredOption('--plan <plan.json>', 'the frozen plan')
    .requiredOption('--run-id <id>', 'the run that is about to start in the data folder')
    .option('--shard <i/n>', 'the part of the plan that it runs')
    .option('--pid <pid>', 'the process that runs it')
    .action(register)
  ledger
    .command('collect', { hidden: true })
    .requiredOption('--run-id <id>', 'a run in the data folder that has ended')
    .action(collect)
  ledger
    .command('add')
    .description('add a correction; entries are never deleted')
    .addArgument(new Argument('<kind>', 'what to do').choices(SIMPLE_KINDS))
    .argument('<target>', 'a run (run_…), row (row_…) or episode (ep_…)')
    .requiredOption('--reason <text>', 'why, in public')
    .option('--author <name>', 'public author name', 'operator')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(add)
}

/** Called by `proofboard run` before its first episode. */
async function register({ plan, runId, shard = null, pid }: RegisterOptions): Promise<void> {
  await ensureDatabase()
  await registerRun({ planPath: resolve(plan), runId, shard })
  if (pid !== undefined) announceLocalRun(runId, Number(pid))
  printText(`registered: ${runId}`)
}

/** Called by `proofboard run` at its end: adds the run to the local board. */
async function collect({ runId }: { runId: string }): Promise<void> {
  printJson(await collectLocalRun(runId))
}

async function verify({ from, head: known, json }: VerifyOptions): Promise<void> {
  const expected = { head: known === undefined ? null : readHead(known) }
  const found =
    from === undefined
      ? await verifyBusyServer(env().dataDir, expected)
      : verifyCopy(resolve(from), expected)
  if (!found.ok) process.exitCode = 1
  printProblems(found.problems)
  printElsewhere(found.elsewhere ?? 0)
  if (json) printJson(found)
  else printText(conclude(found))
}

function conclude({ ok, entries, head, problems }: Verification): string {
  const held = `${countOf(entries, 'entry')}, head ${head ?? '(none)'}`
  return ok ? `verified: ${held}` : `BROKEN in ${countOf(problems.length, 'place')}: ${held}`
}

async function head(): Promise<void> {
  const signed = await readCurrentHead()
  if (!signed) throw new AppError('not-found', 'the ledger is empty: there is no head to sign yet')
  printJson(signed)
}

async function list({ target, json }: Json & { target?: string }): Promise<void> {
  const entries = await listLedgerEntries(target)
  if (json) printJson({ entries })
  else for (const entry of entries) printText(line(entry))
}

function line({ sequence, at, author, reason, action }: LedgerEntry): string {
  const head = `${String(sequence).padStart(5)} ${at.slice(0, 19)}Z ${action.kind.padEnd(16)}`
  return `${head} ${action.target}  ${describeAction(action)}  [${author}: ${reason}]`
}

async function add(
  kind: SimpleKind,
  target: string,
  { reason, author, json }: Json & { reason: string; author: string },
): Promise<void> {
  const entry = await withServerDatabase(async () =>
    correct({ author, reason, action: await describeCorrection(kind, target) }),
  )
  if (json) return printJson({ entry })
  printText(`entry ${entry.sequence}: ${kind} ${target} (${entry.hash})`)
  printError('the leaderboards update within seconds, or when the server starts')
}
