import { chmod, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { GatewaySocket } from './isolation.ts'

export type SandboxUser = { uid: number; gid: number; giveBack: () => void }

// Far above what distributions and name services hand out: such a user owns nothing on this machine.
const FIRST_UID = 2_000_200_000
const EACH_RUNNER = 128
/** Of these, the ones for subjects; the others are for the verifier, which may live on when a run has ended. */
const FOR_SUBJECTS = 64
/** Numbers of users are signed in some programs; two runners this far apart hardly ever live at once. */
const RUNNERS = 1_000_000
const inUse = new Set<number>()

/** Whether subjects run as other users than the runner: only root can start a program as another user. */
export function allocatesUsers(): boolean {
  return process.getuid?.() === 0
}

/** The users that this runner allocates, never shared with another runner; subjects have those up to `lastSubject`. */
export function sandboxUserRange(): { first: number; lastSubject: number; last: number } {
  const first = FIRST_UID + (process.pid % RUNNERS) * EACH_RUNNER
  return { first, lastSubject: first + FOR_SUBJECTS - 1, last: first + EACH_RUNNER - 1 }
}

/**
 * The user of a subject. A runner that is root allocates a user for each sandbox, who owns no file here and
 * whose processes can be counted; any other runner keeps its own user.
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

/** Makes `user` the owner of a folder and all below it, links themselves and not what they point to. */
export async function giveFolder(
  path: string,
  user: Pick<SandboxUser, 'uid' | 'gid'>,
): Promise<void> {
  if (process.getuid?.() !== 0) return
  await lchown(path, user.uid, user.gid)
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const below = join(path, entry.name)
    if (entry.isDirectory()) await giveFolder(below, user)
    else await lchown(below, user.uid, user.gid)
  }
}

/** Gives a folder that a sandbox is to mount: bwrap enters it before it becomes that user, whatever the umask was. */
export async function giveMount(
  path: string,
  user: Pick<SandboxUser, 'uid' | 'gid'>,
): Promise<void> {
  await giveFolder(path, user)
  await chmod(path, 0o755)
}

/** Lets an allocated user connect to the gateway: the socket's own folder keeps other users of this machine away. */
export async function openSocket({ socketPath }: GatewaySocket): Promise<void> {
  if (process.getuid?.() === 0) await chmod(socketPath, 0o666)
}
