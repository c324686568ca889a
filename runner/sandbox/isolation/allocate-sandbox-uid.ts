import { lchownSync, readdirSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { takeBreaks } from '../../take-breaks.ts'
import type { GatewaySocket } from './isolation.ts'

export type SandboxUser = { uid: number; gid: number; giveBack: () => void }

// Far above what distributions and name services hand out: such a user owns nothing on this machine.
const FIRST_UID = 2_000_200_000
const EACH_RUNNER = 128
/** Number of each runner's uids for subjects; the rest are for the verifier, which may outlive a run. */
const FOR_SUBJECTS = 64
/** Runners get different uids by their pid modulo this number, which keeps uids within 31 bits for programs that sign them. */
const RUNNERS = 1_000_000
const inUse = new Set<number>()

/** True if subjects run as other users than the runner, which only root can do. */
export function allocatesUsers(): boolean {
  return process.getuid?.() === 0
}

/** The uids that this runner allocates, shared with no other runner. Subjects get those up to `lastSubject`. */
export function sandboxUserRange(): { first: number; lastSubject: number; last: number } {
  const first = FIRST_UID + (process.pid % RUNNERS) * EACH_RUNNER
  return { first, lastSubject: first + FOR_SUBJECTS - 1, last: first + EACH_RUNNER - 1 }
}

/**
 * Allocates the user of a subject. A runner that is root allocates one for each sandbox, which owns no files here and
 * whose processes can be counted; any other runner uses its own user.
 */
export function allocateUser(to: 'subject' | 'verifier' = 'subject'): SandboxUser {
  const own = process.getuid?.() ?? 0
  if (own !== 0) return { uid: own, gid: process.getgid?.() ?? own, giveBack: () => {} }
  const { first, lastSubject } = sandboxUserRange()
  let uid = to === 'subject' ? first : lastSubject + 1
  while (inUse.has(uid)) uid++
  inUse.add(uid)
  return { uid, gid: uid, giveBack: () => inUse.delete(uid) }
}

/** Changes the owner of a folder and of everything below it; of links, not of their targets. */
export async function giveFolder(
  path: string,
  user: Pick<SandboxUser, 'uid' | 'gid'>,
): Promise<void> {
  if (process.getuid?.() !== 0) return
  const pause = takeBreaks()
  lchownSync(path, user.uid, user.gid)
  for (const waiting = [path]; waiting.length > 0; ) {
    const folder = waiting.pop() as string
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      await pause()
      const below = join(folder, entry.name)
      lchownSync(below, user.uid, user.gid)
      if (entry.isDirectory()) waiting.push(below)
    }
  }
}

/**
 * Gives away a folder that a sandbox mounts. bwrap enters it before it changes to that user, whatever the umask was.
 */
export async function giveMount(
  path: string,
  user: Pick<SandboxUser, 'uid' | 'gid'>,
): Promise<void> {
  await giveFolder(path, user)
  await chmod(path, 0o755)
}

/** Lets an allocated user connect to the gateway. The socket's folder still keeps out other users of this machine. */
export async function openSocket({ socketPath }: GatewaySocket): Promise<void> {
  if (process.getuid?.() === 0) await chmod(socketPath, 0o666)
}
