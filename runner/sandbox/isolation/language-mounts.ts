import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Configuration of languages in `/etc` and `/var/lib` on Debian, Fedora and their derivatives; parts of paths may be
 * patterns. Folders that may contain a password are left out, such as those of web servers next to `/etc/php/8.2/cli`.
 */
const PATHS: readonly (string | RegExp)[][] = [
  ['etc', /^(java|jvm|java-.+)$/],
  ['etc', 'php', /^\d/, /^(cli|mods-available)$/],
  ['etc', /^(php\.ini|php\.d|perl|R|dotnet|mono|groovy|ghc)$/],
  ['etc', /^python[\d.]*$/],
  ['etc', 'maven', /^(m2\.conf|logging)$/],
  ['etc', /^(fonts|xml|sgml|terminfo|inputrc|magic|mime\.types)$/],
  ['etc', /^(protocols|services|rpc)$/],
  ['etc', /^(os-release|debian_version|lsb-release|timezone)$/],
  ['var', 'lib', /^(gems|ghc)$/],
]

/** Arguments that mount the configuration of languages read-only, for building and testing programs. */
export function languageMounts(root = '/'): string[] {
  const found = PATHS.flatMap((path) => listMatching(root, path))
  return found.flatMap((path) => ['--ro-bind-try', path, path])
}

function listMatching(folder: string, [first, ...rest]: readonly (string | RegExp)[]): string[] {
  if (first === undefined) return [folder]
  const names = namesIn(folder).filter((name) =>
    typeof first === 'string' ? name === first : first.test(name),
  )
  return names.flatMap((name) => listMatching(join(folder, name), rest))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
