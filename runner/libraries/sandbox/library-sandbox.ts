import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bubblewrap } from '../../isolation/bubblewrap/bubblewrap.ts'
import { findNode } from '../../isolation/find-node.ts'
import { INSIDE_GATEWAY } from '../../isolation/inside-paths.ts'
import type { EncloseRequest, Enclosure, Isolation } from '../../isolation/isolation.ts'
import { layHouse } from '../../isolation/lay-house.ts'
import { giveMount, lendUser, openDoor } from '../../isolation/lend-user.ts'
import { RUN_VARIABLE } from '../../process/start-guard.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import type { LibrarySight } from './library-sight.ts'
import { type SandboxParts, sandboxArgs, sandboxCommand } from './sandbox-argv.ts'

const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
/** Who a library of an ordinary user is inside: the runner's own user by another number. */
const INSIDE_USER = { uid: 1000, gid: 1000 }
const START = 'umask 022; exec bwrap --args 3 -- "$@" 3<"$0"'

/** Null = a library can be kept from everything but its browser here; else one sentence that says why not. */
export async function whyNoSandbox(
  own: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (own.PROOFBOARD_LIBRARY_SANDBOX === 'none') return 'PROOFBOARD_LIBRARY_SANDBOX is none'
  return bubblewrap.available()
}

/**
 * Keeps a library's process from every network but a few sockets of the harness, and from every file but its own
 * folders, the system and this project's packages. Paths are the same inside and outside, because the browser, which is
 * not in here, is told by the library which files to take.
 */
export function librarySandbox(sight: LibrarySight): Isolation {
  return {
    ...bubblewrap,
    inside: (places) => places,
    programPath: ({ host }) => host,
    gatewayPort: () => INSIDE_GATEWAY.port,
    enclose: (request) => enclose(request, sight),
  }
}

async function enclose(request: EncloseRequest, sight: LibrarySight): Promise<Enclosure> {
  const { places, folder } = request
  const user = lendUser()
  const lent = process.getuid?.() === 0
  const insideUser = lent ? user : INSIDE_USER
  const house = await layHouse(join(folder, 'house'), insideUser)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  for (const path of [...Object.values(places), sharedMemory]) await giveMount(path, user)
  if (request.gateway) await openDoor(request.gateway)
  const parts: SandboxParts = {
    ...{ request, sight, sharedMemory, lent },
    user: insideUser,
    etc: house.etc,
    node: findNode(),
    packages: join(PROJECT_ROOT, 'node_modules'),
    project: PROJECT_ROOT,
  }
  const argsFile = join(house.folder, 'bwrap-args')
  await rm(argsFile, { force: true })
  await writeFile(argsFile, sandboxArgs(parts).join('\0'), { mode: 0o600 })
  return {
    command: ['/bin/sh', '-c', START, argsFile, ...sandboxCommand(parts)],
    env: { ...TOOL_ENV, [RUN_VARIABLE]: request.runMark },
    cwd: dirname(argsFile),
    holdsSubject: true,
    end: async () => {
      user.giveBack()
      return true
    },
  }
}
