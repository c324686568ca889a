import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SandboxedAttempt } from '#lib/testing/chaos/sandboxed-attempt.ts'
import { lacking } from '#lib/testing/needs.ts'
import { bubblewrap } from './bubblewrap.ts'
import { languageMounts } from './language-mounts.ts'

describe('what a sandbox shows of /etc for languages', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'proofboard-etc-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const SHOWN = [
    ...['etc/java-17-openjdk', 'etc/java-21-openjdk', 'etc/php/8.2/cli', 'etc/php/8.4/cli'],
    ...['etc/php/8.2/mods-available', 'etc/perl', 'etc/python3', 'etc/python3.13', 'etc/protocols'],
    ...['etc/services', 'etc/maven/m2.conf', 'var/lib/gems'],
  ]
  const HIDDEN = [
    ...[
      'etc/shadow',
      'etc/php/8.2/fpm',
      'etc/php/8.2/apache2',
      'etc/maven/settings.xml',
      'etc/npmrc',
    ],
    ...[
      'etc/pip.conf',
      'etc/gitconfig',
      'etc/machine-id',
      'etc/postgresql',
      'var/lib/docker',
      'etc/pythons',
    ],
  ]

  it('is every version that is installed, and nothing that may contain a password', () => {
    for (const path of [...SHOWN, ...HIDDEN]) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    const shown = languageMounts(root).filter((word) => word !== '--ro-bind-try')
    expect([...new Set(shown)].sort()).toEqual(SHOWN.map((path) => join(root, path)).sort())
  })

  it('is nothing where there is nothing', () => expect(languageMounts(root)).toEqual([]))
})

/** Programs that read their configuration, with their expected output. */
const PROGRAMS = [
  {
    name: 'keytool',
    command:
      'keytool -genkeypair -keyalg RSA -alias a -dname CN=a -storepass secret1 -keystore k && echo made',
    printed: 'made',
  },
  {
    name: 'perl',
    command: `perl -e 'print scalar getprotobyname("tcp"), " ", (getservbyname("https", "tcp"))[2]'`,
    printed: '6 443',
  },
  {
    name: 'python3',
    command: `/usr/bin/python3 -c 'import socket; print(socket.getprotobyname("tcp"), socket.getservbyname("https"))'`,
    printed: '6 443',
  },
]
const isHere = ({ name }: { name: string }) => existsSync(join('/usr/bin', name))

describe('programs that an agent starts in bubblewrap', { tags: 'bubblewrap' }, () => {
  for (const program of PROGRAMS) {
    const { name, command, printed } = program
    it(`${name} finds its configuration`, lacking(isHere(program) ? null : name), async () => {
      const attempt = new SandboxedAttempt(bubblewrap)
      const { said } = await attempt.run(command)
      attempt.remove()
      expect(said.trim().split('\n').at(-1)).toBe(printed)
    })
  }
})
