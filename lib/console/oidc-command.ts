import type { Command } from 'commander'
import type { OidcRule } from '#lib/domain/oidc/oidc-rule.ts'
import { env } from '#lib/env.ts'
import { withServerDatabase } from '#lib/ledger/with-server-database.ts'
import { allowWorkflow, listRules, removeRule } from '#lib/oidc/oidc-rules.ts'
import { answer, answerJson } from './output.ts'

type Json = { json?: boolean }
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

const ACTOR = { kind: 'console', id: null, name: 'console' } as const
const by = () => ({ actor: ACTOR, now: new Date() })

const WHERE = `
The two numbers: gh api repos/OWNER/NAME --jq '.id, .owner.id'
A refused workflow is told the numbers that it would need. Names decide nothing: they can be given up and taken.`

/** `proofboard oidc …`: manage workflows that can upload results. */
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
    .action(list)
  oidc
    .command('remove')
    .description('remove a rule; uploaded results are kept')
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
  answer(`${id} added. The audience of tokens must be ${oidcAudience}`)
}

async function list({ json }: Json): Promise<void> {
  const { oidcIssuers: issuers, oidcAudience: audience } = env()
  const rules = await withServerDatabase(listRules)
  if (json) {
    answerJson({ issuers, audience, rules })
    return
  }
  answer(`issuers: ${issuers.join(', ') || 'none'}; token audience: ${audience}`)
  if (rules.length === 0)
    answer('no workflows allowed; to add one, see proofboard oidc allow --help')
  for (const { id, rule, createdBy, createdAt } of rules)
    answer(`${id}  ${describe(rule)}  [${createdBy}, ${createdAt.toISOString().slice(0, 10)}]`)
}

async function remove(id: string): Promise<void> {
  await withServerDatabase(() => removeRule(id, by()))
  answer(`${id} removed`)
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
