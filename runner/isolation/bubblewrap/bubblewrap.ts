import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeProgram } from '../../process/node-program.ts'
import { runTool } from '../../process/run-tool.ts'
import { RUN_VARIABLE } from '../../process/start-guard.ts'
import { findNode } from '../find-node.ts'
import { INSIDE, INSIDE_GATEWAY, INSIDE_PATH, insideProgram } from '../inside-paths.ts'
import type { EncloseRequest, Enclosure, Isolation } from '../isolation.ts'
import { layHouse } from '../lay-house.ts'
import { giveMount, lendUser, openDoor } from '../lend-user.ts'
import { probeNode } from '../probe-node.ts'
import { type BubblewrapParts, bubblewrapArgs, insideArgv } from './bubblewrap-argv.ts'
import { explainFailure } from './explain-failure.ts'

const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** Who a subject of an ordinary user is inside: the runner's own user by another number. */
const INSIDE_USER = { uid: 1000, gid: 1000 }

/** Namespaces of the kernel: only the subject's folders, no network but the gateway's socket, gone as one. */
export const bubblewrap: Isolation = {
  level: 'bubblewrap',
  available: whyNot,
  record: async () => ({
    isolation: 'bubblewrap',
    containerImageDigest: null,
    tools: { bubblewrap: (await toolVersion('bwrap')) ?? 'unknown' },
  }),
  inside: () => INSIDE,
  programPath: insideProgram,
  path: INSIDE_PATH,
  gatewayPort: () => INSIDE_GATEWAY.port,
  ownFailure: 1,
  enclose,
  lastWords: () => null,
  sweep: async () => {},
}

async function enclose(request: EncloseRequest): Promise<Enclosure> {
  const { places, folder, gateway } = request
  const user = lendUser()
  const insideUser = isRoot() ? user : INSIDE_USER
  const house = await layHouse(join(folder, 'house'), insideUser)
  const sharedMemory = join(folder, 'shm')
  await mkdir(sharedMemory, { recursive: true })
  for (const path of [...Object.values(places), sharedMemory]) await giveMount(path, user)
  if (gateway) await openDoor(gateway)
  const parts: BubblewrapParts = {
    request,
    house,
    sharedMemory,
    user: insideUser,
    lent: isRoot(),
    node: findNode(),
  }
  const argsFile = join(house.folder, 'bwrap-args')
  await rm(argsFile, { force: true })
  await writeFile(argsFile, bubblewrapArgs(parts).join('\0'), { mode: 0o600 })
  return {
    command: ['/bin/sh', '-c', START, argsFile, ...insideArgv(parts)],
    env: { ...TOOL_ENV, [RUN_VARIABLE]: request.runMark },
    cwd: '/',
    holdsSubject: true,
    end: async () => {
      user.giveBack()
      return true
    },
  }
}

// Folders that bwrap makes on the way to its mounts must be open to the lent user, however strict our own mask is.
const START = 'umask 022; exec bwrap --args 3 -- "$@" 3<"$0"'

const isRoot = () => process.getuid?.() === 0

async function toolVersion(tool: string): Promise<string | null> {
  const { code, stdout } = await runTool([tool, '--version'], { env: TOOL_ENV, timeoutMs: 10_000 })
  return code === 0 ? (/\d[\w.-]*/.exec(stdout)?.[0] ?? 'unknown') : null
}

async function whyNot(): Promise<string | null> {
  if (process.platform !== 'linux') return 'bubblewrap works on Linux only: use docker'
  const needed = [
    ['bwrap', 'bubblewrap'],
    ['prlimit', 'util-linux'],
    ['setpriv', 'util-linux'],
  ] as const
  for (const [tool, packageName] of needed) {
    if ((await toolVersion(tool)) === null)
      return `${tool} is not installed: install the package ${packageName} (apt-get install ${packageName})`
  }
  return tryOne()
}

async function tryOne(): Promise<string | null> {
  const probe = await probeNode(enclose)
  if (probe.code === 0 && probe.stdout.trim() === nodeProgram().version) return null
  if (probe.code === 127 || probe.code === 0)
    return `the node that runs proofboard cannot be started in a sandbox (${findNode().host}): use a node installed in /usr or by a version manager`
  return explainFailure(probe.stderr)
}
