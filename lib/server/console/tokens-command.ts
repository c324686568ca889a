import { type Command, Option } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import { CONSOLE_ACTOR, personNameSchema, SCOPES, type Scope } from '../../domain/accounts/index.ts'
import type { TokenView } from '../../domain/api/index.ts'
import { AppError } from '../../errors.ts'
import { addToken, listTokenViews, revokeToken } from '../accounts/tokens.ts'
import { withServerDatabase } from '../care/with-server-database.ts'
import { printError, printJson, printText } from './output.ts'

const by = () => ({ actor: CONSOLE_ACTOR, now: new Date() })

const USUAL_DAYS = '90'
const MAX_DAYS = 3650

/** `proofboard server tokens …`: manage tokens of programs. Write access to the data folder allows all of it. */
export function addTokensCommand(program: Command): void {
  const tokens = program.command('tokens').description('manage upload tokens')
  tokens
    .command('create')
    .description('create a token and print it, once; only its hash is stored')
    .argument('<name>', 'who uses it, for example ci')
    .addOption(
      new Option('--scope <scope...>', 'what it permits')
        .choices(SCOPES)
        .default(['results:write']),
    )
    .option('--expires <days|never>', 'days until it expires', USUAL_DAYS)
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(create)
  tokens
    .command('list')
    .description('list tokens, newest first, without their secrets')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
  tokens
    .command('revoke')
    .description('revoke a token at once')
    .argument('<token>', 'its id (token_…) or its name')
    .action(revoke)
}

type CreateOptions = { scope: Scope[]; expires: string; json?: boolean }

async function create(given: string, { scope, expires, json }: CreateOptions): Promise<void> {
  const name = personNameSchema.safeParse(given)
  if (!name.success) throw new AppError('invalid-request', name.error.issues[0]?.message ?? '')
  const days = readDays(expires)
  const scopes = [...new Set(scope)]
  const request = { name: name.data, scopes, days }
  const token = await withServerDatabase(() => addToken(request, by()))
  if (json) {
    printJson({ name: name.data, token, scopes, expiresInDays: days })
    return
  }
  printText(token)
  const until = days === null ? 'until it is revoked' : `for ${countOf(days, 'day')}`
  printError(`${name.data}: ${scopes.join(', ')}, valid ${until}; it is not shown again`)
}

/** Null = it never expires. */
function readDays(text: string): number | null {
  if (text === 'never') return null
  const days = Number(text)
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_DAYS) return days
  const message = `--expires must be a number of days from 1 to ${MAX_DAYS}, or never, not "${text.slice(0, 40)}"`
  throw new AppError('invalid-request', message)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const tokens = await withServerDatabase(() => listTokenViews())
  if (json) printJson({ tokens })
  else if (tokens.length === 0) printText('no tokens yet: proofboard server tokens create <name>')
  else for (const token of tokens) printText(line(token))
}

function line({ id, name, prefix, scopes, state, expiresAt, createdBy }: TokenView): string {
  const until = expiresAt === null ? 'never expires' : `until ${expiresAt.slice(0, 10)}`
  const word = state === 'works' ? 'valid' : state
  return `${id}  ${prefix}…  ${word.padEnd(7)}  ${name}  ${scopes.join(', ')}  [${until}, by ${createdBy}]`
}

async function revoke(which: string): Promise<void> {
  const token = await withServerDatabase(async () => revokeToken(await findId(which), by()))
  printText(`${token.name} is revoked`)
}

/** Finds a token by id, or by a name that only one valid token has. */
async function findId(which: string): Promise<string> {
  if (which.startsWith('token_')) return which
  const named = (await listTokenViews()).filter(({ name }) => name === which)
  const valid = named.filter(({ state }) => state === 'works')
  const [only, another] = valid.length > 0 ? valid : named
  if (!only) throw new AppError('not-found', `no token is called ${which}: nothing was changed`)
  if (!another) return only.id
  const ids = named.map(({ id }) => id).join(', ')
  throw new AppError('conflict', `several tokens are called ${which}: name one by its id (${ids})`)
}
