import { TOLD_FIELDS } from '#lib/domain/formats/told.ts'
import { UsageError } from '../cli/cli-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export type Target = { results: URL; plans: URL; audience: string }

type Asked = { dryRun?: boolean; insecure?: boolean; say?: readonly string[] }

/** The address of a board, where its results go, and whom a token for it is for. Throws a UsageError. */
export function readTarget(
  to: string,
  { dryRun = false, insecure = false, say = [] }: Asked,
): Target {
  if (!URL.canParse(to))
    throw new UsageError(
      `--to takes the board's address, as in https://board.example, not "${to.slice(0, 80)}"`,
    )
  const board = new URL(to)
  const { protocol, hostname, username, password } = board
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new UsageError('--to takes an https address')
  if (username || password)
    throw new UsageError('--to takes no name and password: set PROOFBOARD_TOKEN')
  if (protocol === 'http:' && !insecure && !LOOPBACK.test(hostname))
    throw new UsageError(
      `a token would travel in the clear to ${hostname}: use https, or say --insecure`,
    )
  const base = `${board.origin}${board.pathname}`.replace(/\/+$/, '')
  const results = new URL(`${base}/api/v1/results`)
  if (dryRun) results.searchParams.set('dryRun', '1')
  for (const said of say) results.searchParams.set(...readSaid(said))
  return { results, plans: new URL(`${base}/api/v1/plans`), audience: base }
}

/** `subject=claude-code`: a field, and what it is. */
function readSaid(said: string): [field: string, value: string] {
  const [, field = '', value = ''] = /^(\w+)=(.+)$/s.exec(said) ?? []
  if (!TOLD_FIELDS.some((known) => known === field))
    throw new UsageError(
      `--say takes ${TOLD_FIELDS.join(', ')}, as in --say subject=claude-code, not "${said.slice(0, 80)}"`,
    )
  return [field, value]
}
