import { readFileSync } from 'node:fs'
import { findTool } from '../process/find-tool.ts'

/**
 * Returns the command with which a person can install a sandbox for agents on this machine; null = none is known, as in
 * a container that cannot create namespaces. @param refusal why bubblewrap does not work here
 */
export function suggestSandbox(refusal: string): string | null {
  if (process.platform !== 'linux') return DOCKER
  if (findTool('bwrap') === null) return asRoot(installCommand('bubblewrap', readRelease()))
  const [, command] = /"(sysctl [^"]+)"/.exec(refusal) ?? []
  return command === undefined ? null : asRoot(command)
}

const DOCKER = 'brew install --cask docker && npx proofboard image build'

/** Package managers by the ID or ID_LIKE of a distribution. */
const INSTALLERS: readonly (readonly [RegExp, string])[] = [
  [/\b(debian|ubuntu)\b/, 'apt-get install'],
  [/\b(fedora|rhel|centos)\b/, 'dnf install'],
  [/\b(suse|opensuse)\b/, 'zypper install'],
  [/\barch\b/, 'pacman -S'],
  [/\balpine\b/, 'apk add'],
]

/**
 * Returns the command with which a distribution installs a package. @param release the text of /etc/os-release; unknown
 * distributions are treated as Debian
 */
export function installCommand(name: string, release: string): string {
  const ids = [...release.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].map(([, id]) => id).join(' ')
  const [, installer] = INSTALLERS.find(([sign]) => sign.test(ids)) ?? []
  return `${installer ?? 'apt-get install'} ${name}`
}

function asRoot(command: string): string {
  return process.getuid?.() === 0 ? command : `sudo ${command}`
}

function readRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
