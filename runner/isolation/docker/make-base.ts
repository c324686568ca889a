import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runTool } from '../../process/run-tool.ts'
import { lastWord } from './docker-client.ts'
import { ImageError } from './image-error.ts'

const MINUTES_MS = 60_000
const TOOL_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
const PACKAGES = 'ca-certificates,git,procps'

/**
 * A root file system of this very distribution, out of its own packages, as a tar file below `folder`. Takes a minute
 * and needs root; a file made earlier is used again. Throws ImageError with what to do.
 */
export async function makeBase(folder: string): Promise<string> {
  const codename = readCodename()
  const path = join(folder, `debootstrap-${codename}.tar`)
  if (existsSync(path)) return path
  if (process.getuid?.() !== 0)
    throw new ImageError('--base debootstrap needs root: run it with sudo, or leave --base out')
  const work = await mkdtemp(join(tmpdir(), 'proofboard-base-'))
  try {
    const root = join(work, 'root')
    const draft = join(work, 'base.tar')
    await must(['debootstrap', '--variant=minbase', `--include=${PACKAGES}`, codename, root])
    await must(['tar', '-C', root, '--exclude=./var/cache/apt/archives/*.deb', '-cf', draft, '.'])
    await mkdir(dirname(path), { recursive: true })
    await move(draft, path)
    return path
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function readCodename(): string {
  try {
    const found = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))
    if (found?.[1]) return found[1].replaceAll('"', '')
  } catch {
    // told below
  }
  throw new ImageError('--base debootstrap works on Debian and Ubuntu: leave --base out')
}

async function must(argv: readonly string[]): Promise<void> {
  const ending = await runTool(argv, { env: TOOL_ENV, timeoutMs: 20 * MINUTES_MS })
  if (ending.stderr.includes('ENOENT'))
    throw new ImageError(`${argv[0]} is not installed: apt-get install ${argv[0]}`)
  if (ending.code !== 0)
    throw new ImageError(
      `${argv[0]} failed ("${lastWord(ending)}"): fix the problem and run this again`,
    )
}

/** Whole or not at all, also from one file system to another. */
async function move(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}`
  try {
    await must(['cp', '--sparse=always', from, draft])
    await rename(draft, to)
  } finally {
    await rm(draft, { force: true })
  }
}
