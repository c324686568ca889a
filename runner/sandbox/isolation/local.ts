import { chmod, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { endUser } from '../process/process-tree.ts'
import { runTool } from '../process/run-tool.ts'
import {
  allocatesUsers,
  allocateUser,
  giveFolder,
  sandboxUserRange,
} from './allocate-sandbox-uid.ts'
import type { EncloseRequest, Enclosure, Isolation } from './isolation.ts'

/**
 * No sandbox: a fresh HOME, a filtered environment, limits, and the whole process tree is killed at the end. If the
 * runner is root, the subject gets a separate user that owns only the attempt's folders; otherwise it can read what the
 * runner's user can. It reaches every network of this machine. The envelope records which user it had.
 */
export const local: Isolation = {
  level: 'local',
  available: async () => (allocatesUsers() ? findClosedWay() : null),
  record: async () => ({ isolation: 'local', containerImageDigest: null, tools: {} }),
  inside: ({ workspace, home, temporary }) => ({ workspace, home, temporary }),
  programPath: ({ host }) => host,
  path: null,
  gatewayPort: ({ port }) => port,
  ownFailure: null,
  enclose: async (request) =>
    allocatesUsers() ? encloseAsUser(request) : { ...plain(request), end: async () => true },
  cleanup: () => {
    if (!allocatesUsers() || process.platform !== 'linux') return null
    const { first, lastSubject, last } = sandboxUserRange()
    const numbers = [first, lastSubject, last, process.pid].map(String)
    return { argv: ['/bin/sh', '-c', END_LENT, 'sh', ...numbers], env: {} }
  },
  sweep: async () => {},
}

/**
 * The same with the runner's own user, also if that is root: for browser libraries, which are programs of this project
 * and have their own sandbox where the machine supports it.
 */
export const localAsRunner: Isolation = {
  ...local,
  available: async () => null,
  enclose: async (request) => ({ ...plain(request), end: async () => true }),
  cleanup: () => null,
}

/** Returns why an allocated user cannot enter the temporary folder, which contains the attempts' folders; null = it can. */
async function findClosedWay(): Promise<string | null> {
  const folder = tmpdir()
  const { giveBack, ...user } = allocateUser()
  try {
    const ask = ['/bin/sh', '-c', 'cd "$0"', folder]
    if ((await runTool(ask, { env: {}, timeoutMs: 10_000, user })).code === 0) return null
    return `the user that is allocated to a subject cannot enter the temporary folder ${folder}: set TMPDIR to one that every user can enter, as in TMPDIR=/tmp`
  } finally {
    giveBack()
  }
}

// Daemons that cleared their environment still belong to an allocated user. The verifier's user is spared.
const END_LENT = `
last=$2
[ -d "/proc/$4" ] || last=$3
round=0
while [ $round -lt 50 ]; do
  pids=$(ls -dn /proc/[0-9]* 2>/dev/null | awk -v a="$1" -v z="$last" '$3 >= a && $3 <= z { sub(".*/", "", $NF); print $NF }')
  [ -z "$pids" ] && break
  kill -9 $pids 2>/dev/null
  round=$((round + 1))
done
true`

function plain({ command, env, places }: EncloseRequest): Omit<Enclosure, 'end'> {
  return { command, env, cwd: places.workspace, holdsSubject: false }
}

const STICKY = 0o1000

/** True for a folder that all users of the machine share, such as /tmp: its permissions are not ours to change. */
async function isShared(path: string): Promise<boolean> {
  return ((await stat(path)).mode & STICKY) !== 0
}

async function encloseAsUser(request: EncloseRequest): Promise<Enclosure> {
  const { places, folder } = request
  const { giveBack, ...user } = allocateUser()
  // The subject can enter its own folders but cannot list the parents, which contain other attempts.
  for (const path of [dirname(folder), folder])
    if (!(await isShared(path))) await chmod(path, 0o711)
  for (const path of Object.values(places)) {
    await giveFolder(path, user)
    await chmod(path, 0o700)
  }
  return {
    ...plain(request),
    user,
    end: async () => {
      const ended = await endUser(user)
      giveBack()
      return ended
    },
  }
}
