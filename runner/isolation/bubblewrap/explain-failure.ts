import { readFileSync } from 'node:fs'

/** Switches of the kernel by which distributions close user namespaces, which bwrap needs when it is not root. */
const SWITCHES = [
  { path: '/proc/sys/kernel/unprivileged_userns_clone', closed: '0', open: '1' },
  { path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { path: '/proc/sys/user/max_user_namespaces', closed: '0', open: '10000' },
] as const

/** Why a sandbox did not start, in one sentence that says what to do. */
export function explainFailure(
  stderr: string,
  read: (path: string) => string | null = readSwitch,
): string {
  const closed = SWITCHES.find(({ path, closed }) => read(path) === closed)
  if (closed) {
    const name = closed.path.slice('/proc/sys/'.length).replaceAll('/', '.')
    return `user namespaces are closed on this machine (${name} is ${closed.closed}): open them with "sysctl -w ${name}=${closed.open}" as root, or run as root`
  }
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'nothing'
  return `bubblewrap cannot start a sandbox here, it said "${said}": inside a container, allow it namespaces and mounts`
}

function readSwitch(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
