import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { chown, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { allocatesUsers, allocateUser } from '../../sandbox/isolation/allocate-sandbox-uid.ts'
import type { Isolation, ProgramFolder } from '../../sandbox/isolation/isolation.ts'
import { holdsPrivate } from '../../sandbox/isolation/system-mounts.ts'
import { CappedLog } from '../../sandbox/process/capped-log.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { runProcess } from '../../sandbox/process/run-process.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import { RUN_VARIABLE } from '../../sandbox/process/start-guard.ts'
import { makeScratch } from '../../scratch.ts'
import { type FoundAgent, installAdvice } from './find-agent.ts'

/** An installed agent: its program, and the Node that starts it if it needs another version. */
export type AgentStart = Pick<FoundAgent, 'binary' | 'node'>

/** An installed agent as a subject starts it: its words inside, and the folders that have to be shown for it. */
type Program = { start: string[]; folders: ProgramFolder[] }

const PACKAGES = `${sep}node_modules${sep}`

/**
 * Location of an agent's program for a subject. A program's folder is the outermost node_modules around it, because a package
 * needs its neighbours, else the folder of the program itself; links are followed: only their targets are exposed.
 */
export function findProgram(
  name: string,
  { binary, node }: AgentStart,
  isolation: Isolation,
): Program {
  if (isolation.level === 'local')
    return { start: node === null ? [binary] : [node, binary], folders: [] }
  const words = [
    ...(node === null ? [] : [showProgram('agent-node', node, isolation)]),
    showProgram(name, binary, isolation),
  ]
  return {
    start: words.map(({ path }) => path),
    folders: words.map(({ folder }) => folder),
  }
}

/** Below the folder of an installed version: the same for Linux, on a machine whose programs containers cannot run. */
export const LINUX = 'linux'

function showProgram(name: string, binary: string, isolation: Isolation) {
  const here = realpathSync(binary)
  const real = (isolation.level === 'docker' && findTwin(here)) || here
  const at = real.indexOf(PACKAGES)
  const isPackage = at >= 0
  const host = isPackage ? real.slice(0, at + PACKAGES.length - 1) : dirname(real)
  // Packages find each other by that very folder name.
  const folder = { host, name: isPackage ? `${name}/node_modules` : name }
  return { path: join(isolation.programPath(folder), relative(host, real)), folder }
}

function findTwin(program: string): string | null {
  const at = program.indexOf(PACKAGES)
  const twin = at < 0 ? '' : join(program.slice(0, at), LINUX, program.slice(at))
  return existsSync(twin) ? twin : null
}

/** Why an installed agent cannot be started at this level, in one sentence that says what to do; null when it can. */
export async function findUnreachableAgent(
  definition: AgentDefinition,
  found: AgentStart,
  { isolation, env }: { isolation: Isolation; env: Env },
): Promise<string | null> {
  const { name } = definition
  const { binary } = found
  if (isolation.level !== 'local') {
    const { start, folders } = findProgram(name, found, isolation)
    const wide = folders.find(({ host }) => holdsPrivate(host))
    if (wide)
      return `${name} is installed in ${wide.host}, which cannot be shown to a sandbox because it contains more than a program: install it in a folder of its own`
    const closed = [...folders.map(({ host }) => host), binary].find(isClosed)
    if (closed === undefined) {
      const refusal = await isolation.prepare?.(folders, [...start, ...definition.version.args])
      return refusal ? `${name} ${refusal}: ${installAdvice(definition)}` : null
    }
    return `${name} cannot be started in the sandbox, whose user is not root and to whom ${closed} is closed: chmod -R o+rX ${closed}`
  }
  if (!allocatesUsers()) return null
  // A shell that may not start it names its path, which may contain a version.
  if ((await canStart(binary)) && (await saysVersion(definition, found, env))) return null
  return `${name} cannot be started by the user that is allocated to it at --isolation local (${binary}): install it where every user can read it, as in /usr/local or a PROOFBOARD_AGENTS_DIR of your own, or ask for --isolation bubblewrap`
}

async function saysVersion(definition: AgentDefinition, found: AgentStart, env: Env) {
  const { giveBack, ...user } = allocateUser()
  try {
    const { version, isSlow } = await askAgentVersion(definition, found, env, user)
    return version !== null || isSlow
  } finally {
    giveBack()
  }
}

/** True if the user that root allocates for a sandbox could not run or enter it. */
function isClosed(path: string): boolean {
  return allocatesUsers() && (statSync(path).mode & 0o005) !== 0o005
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
  if (isolation.level !== 'local' || !allocatesUsers()) return null
  return (await canStart(program))
    ? null
    : `${program} cannot be started by the user that is allocated to it at --isolation local: put it where every user can read it, as in /usr/local/bin`
}

async function canStart(program: string): Promise<boolean> {
  const { giveBack, ...user } = allocateUser()
  try {
    const ask = ['/bin/sh', '-c', 'test -r "$0" && test -x "$0"', program]
    return (await runTool(ask, { env: {}, timeoutMs: 10_000, user })).code === 0
  } finally {
    giveBack()
  }
}

/** A busy machine may need a minute to load a program of 200 MB. */
const LIMIT_MS = 120_000
const LIMITS = { timeoutMs: LIMIT_MS, diskQuotaBytes: 1 << 30, maxProcesses: 64, graceMs: 200 }

/** `isSlow`: it was still at it when the time was up, which says nothing of its version. */
type SaidVersion = { version: string | null; isSlow: boolean }

/**
 * The version that an installed agent reports, or null when there is none within two minutes. It runs like an attempt:
 * cleaned environment, fresh HOME, stdin closed, and nothing of it stays.
 */
export async function askAgentVersion(
  { version }: Pick<AgentDefinition, 'version'>,
  { binary, node }: AgentStart,
  env: Env,
  user: { uid: number; gid: number } | null = null,
): Promise<SaidVersion> {
  const folder = await makeScratch('proofboard-version')
  const marker = `version-${randomUUID()}`
  const place = { home: join(folder, 'home'), temporary: join(folder, 'tmp'), runMark: marker }
  const log = new CappedLog(join(folder, 'printed'), 64 << 10)
  try {
    await Promise.all([mkdir(place.home), mkdir(place.temporary)])
    if (user)
      for (const path of [folder, place.home, place.temporary])
        await chown(path, user.uid, user.gid)
    const { cause } = await runProcess({
      command: [...(node === null ? [] : [node]), binary, ...version.args],
      env: subjectEnv(place, env),
      cwd: folder,
      folder,
      marker,
      ...LIMITS,
      ...(user && { user }),
      log,
      signal: new AbortController().signal,
    })
    log.close()
    const printed = await readFile(log.path, 'utf8')
    const found = new RegExp(version.pattern).exec(printed)?.[1]?.slice(0, 100) ?? null
    return { version: found, isSlow: found === null && cause === 'timeout' }
  } finally {
    log.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The same for subject, proof, verifier and second evaluation, whatever this machine is set to. */
const PINNED = { TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
export const PINNED_NAMES = Object.keys(PINNED)

/** The whole environment of a subject: our PATH, the pinned zone and locale, and fresh folders. No secrets. */
export function subjectEnv(
  place: { home: string; temporary: string; runMark: string },
  env: Env,
): Record<string, string> {
  return {
    ...(env.PATH ? { PATH: env.PATH } : {}),
    ...PINNED,
    HOME: place.home,
    TMPDIR: place.temporary,
    XDG_CONFIG_HOME: `${place.home}/.config`,
    XDG_CACHE_HOME: `${place.home}/.cache`,
    CI: '1',
    NO_COLOR: '1',
    [RUN_VARIABLE]: place.runMark,
  }
}
