import { Argument, type Command, Option } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import {
  CONSOLE_ACTOR,
  emailSchema,
  type OidcRule,
  personNameSchema,
  ROLES,
  type Role,
} from '../../domain/accounts/index.ts'
import type { AccountView } from '../../domain/api/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import {
  addAccount,
  disableAccount,
  enableAccount,
  listAccountViews,
  resetPassword,
  setRole,
  unlockAccount,
} from '../accounts/accounts.ts'
import { allowWorkflow, listRules, removeRule } from '../accounts/oidc-rules.ts'
import { issueSetupLink } from '../accounts/setup-links.ts'
import { withServerDatabase } from '../care/with-server-database.ts'
import { printError, printJson, printText, readPassword } from './output.ts'

type Json = { json?: boolean }

const by = () => ({ actor: CONSOLE_ACTOR, now: new Date() })

/** `proofboard server accounts …`: manage accounts. Write access to the data folder allows all of it. */
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
    words: 'disable an account, end its sessions and revoke its tokens',
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
      printText(`${readEmail(email)}: ${had ? 'unlocked' : 'not locked'}`)
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
  const link = await withServerDatabase(() => issueSetupLink(CONSOLE_ACTOR))
  if (link === null) {
    const message = 'accounts already exist: use proofboard server accounts add'
    throw new AppError('conflict', message)
  }
  printText(link)
  printError('valid for 24 hours and one use; earlier links are revoked')
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
  printText(added.link ?? `${email} is ${role}`)
}

async function list({ json }: Json): Promise<void> {
  const accounts = await withServerDatabase(() => listAccountViews())
  if (json) printJson({ accounts })
  else for (const account of accounts) printText(line(account))
}

function line({ email, role, name, disabledAt, hasPassword, sessions }: AccountView): string {
  const state = disabledAt
    ? 'disabled'
    : hasPassword
      ? countOf(sessions, 'session')
      : 'not set up yet'
  return `${role.padEnd(7)} ${email}  ${name}  [${state}]`
}

async function changeRole(given: string, role: Role): Promise<void> {
  const words = role === 'admin' ? 'is admin now' : `is ${role} now; their tokens are revoked`
  await change(given, (whose) => setRole(whose, role, by()), words)
}

async function change(
  given: string,
  work: (whose: { email: string }) => Promise<unknown>,
  words: string,
): Promise<void> {
  const email = readEmail(given)
  await withServerDatabase(() => work({ email }))
  printText(`${email} ${words}`)
}

function readEmail(given: string): string {
  const parsed = emailSchema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('invalid-request', parsed.error.issues[0]?.message ?? 'no e-mail address')
}

type Allow = {
  repositoryId: string
  ownerId: string
  ref: string
  workflow?: string
  environment?: string
  event?: string[]
  issuer?: string
  plainAudience?: boolean
}

const WHERE = `
Example: npx proofboard server oidc allow --repository-id 1296269 --owner-id 583231
The two numbers: gh api repos/OWNER/NAME --jq '.id, .owner.id'
A refused workflow gets the ids that it would need. Names are not matched, because they can be released and taken again.`

/** `proofboard server oidc …`: manage workflows that can upload results. */
export function addOidcCommand(program: Command): void {
  const oidc = program.command('oidc').description('manage workflows that can upload results')
  oidc
    .command('allow')
    .description('allow the workflows of a repository')
    .requiredOption('--repository-id <number>', 'repository id')
    .requiredOption('--owner-id <number>', 'owner id')
    .option(
      '--ref <pattern>',
      '* matches anything except a slash, ** matches anything',
      'refs/heads/main',
    )
    .option(
      '--workflow <pattern>',
      'only this workflow, for example .github/workflows/benchmark.yml',
    )
    .option('--environment <name>', 'only from this deployment environment')
    .option('--event <name...>', 'only these events (default: all except pull requests)')
    .option('--issuer <url>', 'issuer (default: the first of PROOFBOARD_OIDC_ISSUERS)')
    .option('--plain-audience', 'also accept tokens without the digest of the body')
    .addHelpText('after', WHERE)
    .action(allow)
  oidc
    .command('list')
    .description('list rules')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(printRules)
  oidc
    .command('remove')
    .description('remove a rule; uploaded results stay')
    .argument('<rule>', 'rule_…')
    .action(remove)
}

async function allow(options: Allow): Promise<void> {
  const { oidcIssuers, oidcAudience } = env()
  const rule = {
    issuer: options.issuer ?? oidcIssuers[0],
    repositoryId: options.repositoryId,
    repositoryOwnerId: options.ownerId,
    ref: options.ref,
    workflow: options.workflow ?? null,
    environment: options.environment ?? null,
    events: options.event ?? null,
    plainAudience: options.plainAudience ?? false,
  }
  const id = await withServerDatabase(() => allowWorkflow(rule, by()))
  printText(`${id} added. The audience of tokens must be ${oidcAudience}`)
}

async function printRules({ json }: Json): Promise<void> {
  const { oidcIssuers: issuers, oidcAudience: audience } = env()
  const rules = await withServerDatabase(listRules)
  if (json) {
    printJson({ issuers, audience, rules })
    return
  }
  printText(`issuers: ${issuers.join(', ') || 'none'}; token audience: ${audience}`)
  if (rules.length === 0)
    printText('no workflows allowed; to add one, see proofboard server oidc allow --help')
  for (const { id, rule, createdBy, createdAt } of rules)
    printText(`${id}  ${describe(rule)}  [${createdBy}, ${createdAt.toISOString().slice(0, 10)}]`)
}

async function remove(id: string): Promise<void> {
  await withServerDatabase(() => removeRule(id, by()))
  printText(`${id} removed`)
}

function describe(rule: OidcRule): string {
  const { issuer, repositoryId, repositoryOwnerId, ref, workflow, environment, events } = rule
  const parts = [
    `repository ${repositoryId} of owner ${repositoryOwnerId} at ${issuer}`,
    `ref ${ref}`,
    workflow && `workflow ${workflow}`,
    environment && `environment ${environment}`,
    events && `events ${events.join(', ')}`,
    rule.plainAudience && 'tokens without a digest allowed',
  ]
  return parts.filter(Boolean).join(', ')
}
