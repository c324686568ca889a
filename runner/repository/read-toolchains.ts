import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestSchema } from '#lib/domain/digest/index.ts'
import type { Environment } from '#lib/domain/record/index.ts'
import { removeTree } from '../engine/files.ts'
import { createAttemptDirs } from '../engine/workspace.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { makeScratch } from '../scratch.ts'
import { runTaskCommand } from './run-command.ts'

type Toolchains = Required<Pick<Environment, 'toolchains' | 'certificates'>>

/** Interpreters, compilers and build tools, with their version option. */
const PROGRAMS = [
  ...['node', 'deno', 'bun', 'npm', 'python3', 'ruby', 'perl', 'php', 'bash', 'git', 'make'],
  ...['cmake', 'gcc', 'g++', 'clang', 'rustc', 'cargo', 'javac', 'mvn', 'gradle', 'dotnet', 'ghc'],
  ...['swift', 'elixir', 'julia', 'Rscript'],
].map((name) => `${name} --version`)
const OTHERS = ['go version', 'java -version', 'zig version', 'lua -v']

/** Paths of CA certificate bundles on Debian, Fedora and Alpine. */
export const CA_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

/** Each program prints into its own file, so that none waits for another; one that hangs is left out. */
const SCRIPT = `n=0
while read -r name option; do
  command -v "$name" >/dev/null 2>&1 || continue
  n=$((n + 1))
  { timeout 10 "$name" $option </dev/null >"$TMPDIR/$n" 2>&1 && printf '%s %s\\n' "$name" "$(grep -m1 -oE '[0-9]+\\.[0-9][0-9A-Za-z.+_-]*' "$TMPDIR/$n")"; } &
done <<'END'
${[...PROGRAMS, ...OTHERS].join('\n')}
END
for bundle in ${CA_BUNDLES.join(' ')}; do
  [ -r "$bundle" ] && printf 'certificates sha256:%s\\n' "$(sha256sum <"$bundle" | cut -c1-64)" && break
done
wait`

const LIMITS = { timeoutMs: 30_000, diskQuotaBytes: 64 << 20 }
const MAX_LOG_BYTES = 64 << 10

const known = new WeakMap<Isolation, Promise<Toolchains>>()

/**
 * Reads the toolchain that judged tests find at an isolation level: versions of languages and build tools by name, and
 * the digest of the CA certificates; null = none. Asked once in a process, which may open several runs.
 */
export function readToolchains(isolation: Isolation): Promise<Toolchains> {
  const read = known.get(isolation) ?? askPrograms(isolation)
  known.set(isolation, read)
  read.catch(() => known.delete(isolation))
  return read
}

async function askPrograms(isolation: Isolation): Promise<Toolchains> {
  const folder = await makeScratch('proofboard-toolchains')
  const dirs = await createAttemptDirs(folder, null, 'workspace')
  const log = new CappedLog(join(dirs.folder, 'printed'), MAX_LOG_BYTES)
  const { signal } = new AbortController()
  const marker = `toolchains-${randomBytes(8).toString('hex')}`
  try {
    const place = { ...dirs, isolation, runMark: marker, marker, signal }
    const command = ['/bin/sh', '-c', SCRIPT]
    await runTaskCommand(place, { command, limits: LIMITS, network: false, log })
    log.flush()
    return parsePrinted(await readFile(log.path, 'utf8'))
  } finally {
    log.close()
    await removeTree(folder)
  }
}

function parsePrinted(text: string): Toolchains {
  const pairs = text.split('\n').flatMap((line) => {
    const [name = '', version = ''] = line.split(' ')
    return version === '' ? [] : [[name, version.slice(0, 100)] as const]
  })
  const { certificates, ...toolchains } = Object.fromEntries(pairs.sort())
  return { toolchains, certificates: digestSchema.nullable().parse(certificates ?? null) }
}
