import { Argument, type Command, Option } from 'commander'
import {
  addAccount,
  disableAccount,
  enableAccount,
  resetPassword,
  setRole,
  unlockAccount,
} from '#lib/auth/accounts.ts'
import { issueSetupLink } from '#lib/auth/issue-setup-link.ts'
import { listAccounts } from '#lib/auth/list-accounts.ts'
import { ROLES, type Role } from '#lib/domain/access.ts'
import { emailSchema, personNameSchema } from '#lib/domain/account.ts'
import type { AccountView } from '#lib/domain/views/account-view.ts'
import { AppError } from '#lib/errors.ts'
import { withServerDatabase } from '#lib/ledger/with-server-database.ts'
import { answer, answerJson, complain } from './output.ts'
import { readPassword } from './read-password.ts'

type Json = { json?: boolean }

const ACTOR = { kind: 'console', id: null, name: 'console' } as const
const by = () => ({ actor: ACTOR, now: new Date() })

/** `proofboard accounts …`: who may sign in. Whoever may write the data folder may do all of it. */
export function addAccountsCommand(program: Command): void {
  const accounts = program.command('accounts').description('manage accounts')
  accounts
    .command('setup-link')
    .description('print a new one-time link for the first administrator')
    .action(printSetupLink)
  accounts
    .command('add')
    .description('add an account; its password is the first line of stdin')
    .argument('<email>')
    .addOption(new Option('--role <role>', 'role of the account').choices(ROLES).default('viewer'))
    .option('--name <name>', 'display name (default: the part of the e-mail address before the @)')
    .option('--link', 'print a one-time link instead of reading a password')
    .action(add)
  accounts
    .command('list')
    .description('list accounts')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
  accounts
    .command('set-role')
    .description('change the role of an account')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action(changeRole)
  for (const [name, { words, run }] of Object.entries(SIMPLE)) {
    accounts.command(name).description(words).argument('<email>').action(run)
  }
}

const SIMPLE: Record<string, { words: string; run: (email: string) => Promise<void> }> = {
  disable: {
    words: 'disable an account and end its sessions',
    run: (email) => change(email, (whose) => disableAccount(whose, by()), 'is disabled'),
  },
  enable: {
    words: 'enable an account',
    run: (email) => change(email, (whose) => enableAccount(whose, by()), 'can sign in again'),
  },
  unlock: {
    words: 'unlock an account after failed sign-ins',
    run: async (email) => {
      const had = await withServerDatabase(() => unlockAccount(readEmail(email), by()))
      answer(`${readEmail(email)}: ${had ? 'unlocked' : 'not locked'}`)
    },
  },
  'reset-password': {
    words: 'set a new password from the first line of stdin and end all sessions',
    run: async (email) => {
      const password = await readPassword()
      const reset = (whose: { email: string }) => resetPassword(whose, password, by())
      await change(email, reset, 'has a new password; all their sessions have ended')
    },
  },
}

async function printSetupLink(): Promise<void> {
  const link = await withServerDatabase(() => issueSetupLink(ACTOR))
  if (link === null) {
    const message = 'accounts already exist: use proofboard accounts add'
    throw new AppError('conflict', message)
  }
  answer(link)
  complain('valid for 24 hours and one use; earlier links are revoked')
}

async function add(
  given: string,
  { role, name, link }: { role: Role; name?: string; link?: boolean },
): Promise<void> {
  const email = readEmail(given)
  const parsed = personNameSchema.safeParse(name ?? email.split('@')[0])
  if (!parsed.success) throw new AppError('invalid-request', parsed.error.issues[0]?.message ?? '')
  const password = link ? null : await readPassword()
  const user = { email, name: parsed.data, role, password }
  const added = await withServerDatabase(() => addAccount(user, by()))
  answer(added.link ?? `${email} is ${role}`)
}

async function list({ json }: Json): Promise<void> {
  const accounts = await withServerDatabase(() => listAccounts())
  if (json) answerJson({ accounts })
  else for (const account of accounts) answer(line(account))
}

function line({ email, role, name, disabledAt, hasPassword, sessions }: AccountView): string {
  const state = disabledAt ? 'disabled' : hasPassword ? `${sessions} sessions` : 'not set up yet'
  return `${role.padEnd(7)} ${email}  ${name}  [${state}]`
}

async function changeRole(given: string, role: Role): Promise<void> {
  await change(given, (whose) => setRole(whose, role, by()), `is ${role} now`)
}

async function change(
  given: string,
  work: (whose: { email: string }) => Promise<unknown>,
  words: string,
): Promise<void> {
  const email = readEmail(given)
  await withServerDatabase(() => work({ email }))
  answer(`${email} ${words}`)
}

function readEmail(given: string): string {
  const parsed = emailSchema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('invalid-request', parsed.error.issues[0]?.message ?? 'no e-mail address')
}
