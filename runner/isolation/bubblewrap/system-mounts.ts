import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { privateFolders } from '../private-folders.ts'

const TOP_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

// What programs need of /etc that is nobody's secret; missing ones are left out.
const ETC_OF_THE_SYSTEM = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

/** Arguments that show a sandbox the system's programs and libraries, read-only, and nothing that is anybody's own. */
export function systemMounts(): string[] {
  return [
    '--ro-bind',
    '/usr',
    '/usr',
    ...TOP_FOLDERS.flatMap(topFolder),
    ...ETC_OF_THE_SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
    ...privateBelow('/usr').flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ]
}

/** On most systems `/bin` and the like are links into `/usr`; on the others they are folders of their own. */
function topFolder(name: string): string[] {
  const path = `/${name}`
  try {
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path]
  } catch {
    return []
  }
}

/** Folders of ours that lie below a system folder, as when the clone is in `/usr/src`: they are covered. */
function privateBelow(folder: string): string[] {
  return privateFolders().filter((path) => path.startsWith(`${folder}/`) && existsSync(path))
}
