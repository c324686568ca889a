import { existsSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Isolation } from '../isolation/isolation.ts'
import { lendsUser, lendUser } from '../isolation/lend-user.ts'
import { holdsPrivate } from '../isolation/private-folders.ts'
import { runTool } from '../process/run-tool.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { askVersion } from './ask-version.ts'
import { findProgram } from './find-program.ts'

type Own = Readonly<Record<string, string | undefined>>

/** Why an installed agent cannot be started at this level, in one sentence that says what to do; null when it can. */
export async function findUnreachableAgent(
  definition: AgentDefinition,
  binary: string,
  { isolation, own }: { isolation: Isolation; own: Own },
): Promise<string | null> {
  const { name } = definition
  if (isolation.level !== 'local') {
    const { folders } = findProgram(name, binary, isolation)
    const wide = folders.find(({ host }) => holdsPrivate(host))
    if (wide)
      return `${name} is installed in ${wide.host}, which cannot be shown to a sandbox because it holds more than a program: install it in a folder of its own`
    const closed = [...folders.map(({ host }) => host), binary].find(isClosed)
    if (closed === undefined) return null
    return `${name} cannot be started in the sandbox, whose user is not root and to whom ${closed} is closed: chmod -R o+rX ${closed}`
  }
  if (!lendsUser()) return null
  // A shell that may not start it names its path, in which a version may stand.
  if ((await canStart(binary)) && (await saysVersion(definition, binary, own))) return null
  return `${name} cannot be started by the user that is lent to it at --isolation local (${binary}): install it where every user can read it, as in /usr/local, or ask for --isolation bubblewrap`
}

async function saysVersion(definition: AgentDefinition, binary: string, own: Own) {
  const { giveBack, ...user } = lendUser()
  try {
    return (await askVersion(definition, binary, own, user)) !== null
  } finally {
    giveBack()
  }
}

/** Whether the user that root lends to a sandbox could not run or enter it. */
function isClosed(path: string): boolean {
  return lendsUser() && (statSync(path).mode & 0o005) !== 0o005
}

const SEEN_IN_SANDBOX = /^\/(usr|bin|sbin|lib|lib64)\//

/** The same for a shell command, whose first word says which program it is when it is an absolute path. */
export async function findUnreachableCommand(
  command: string,
  isolation: Isolation,
): Promise<string | null> {
  const program = /^\S+/.exec(command.trim())?.[0] ?? ''
  if (!isAbsolute(program) || !existsSync(program)) return null
  if (isolation.level === 'bubblewrap')
    return SEEN_IN_SANDBOX.test(realpathSync(program))
      ? null
      : `${program} cannot be seen at --isolation bubblewrap, which shows only /usr: install it below /usr/local, or ask for --isolation local`
  if (isolation.level !== 'local' || !lendsUser()) return null
  return (await canStart(program))
    ? null
    : `${program} cannot be started by the user that is lent to it at --isolation local: put it where every user can read it, as in /usr/local/bin`
}

async function canStart(program: string): Promise<boolean> {
  const { giveBack, ...user } = lendUser()
  try {
    const ask = ['/bin/sh', '-c', 'test -r "$0" && test -x "$0"', program]
    return (await runTool(ask, { env: {}, timeoutMs: 10_000, user })).code === 0
  } finally {
    giveBack()
  }
}
