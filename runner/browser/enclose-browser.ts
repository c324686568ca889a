import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemMounts } from '../isolation/bubblewrap/system-mounts.ts'
import { holdsPrivate } from '../isolation/private-folders.ts'

/** Its fonts and its own settings of this machine. */
const ETC = ['/etc/fonts', '/etc/chromium', '/etc/chromium.d', '/etc/passwd', '/etc/group']
const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/run', '/var', '/var/cache']

type Walls = {
  profile: string
  /** The folder above all places of episodes, where files are uploaded from and downloads go to. */
  desks: string
}

/**
 * A browser that sees no file but its own profile, the places of episodes and the system: who drives it may send it to
 * `file:` addresses, upload any file it can read, and name any folder for downloads. Its network stays the machine's.
 */
export function encloseBrowser(
  [program, ...args]: readonly [string, ...string[]],
  { profile, desks }: Walls,
): [string, ...string[]] {
  const isRoot = process.getuid?.() === 0
  const real = realpathSync(program)
  const own = real.startsWith('/usr/') ? [] : [holdsPrivate(dirname(real)) ? real : dirname(real)]
  const given = [...new Set([...own, ...(program.startsWith('/usr/') ? [] : [program])])]
  return [
    'bwrap',
    ...(isRoot
      ? ['--unshare-ipc', '--unshare-pid']
      : ['--unshare-user', '--unshare-ipc', '--unshare-pid']),
    // Libraries are users of their own, whose private folders it has to read and write.
    ...['--cap-drop', 'ALL', ...(isRoot ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : [])],
    ...['--die-with-parent', '--new-session'],
    ...FOLDERS.flatMap((path) => ['--dir', path]),
    ...systemMounts(),
    ...[...ETC, '/var/cache/fontconfig'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--tmpfs', '/tmp'],
    ...given.flatMap((path) => ['--ro-bind', path, path]),
    ...[profile, desks].flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', '/', '--chdir', profile, '--'],
    ...[program, ...args],
  ]
}
