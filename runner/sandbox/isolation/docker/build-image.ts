import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import { placeError } from '../../../runner-error.ts'
import { inScratch } from '../../../scratch.ts'
import { PROJECT_ROOT } from '../../../suites/project-paths.ts'
import { runTool, TOOL_ENV } from '../../process/run-tool.ts'
import { describeSilence, docker, findImage, IMAGE_TAG, LABEL, lastWord } from './docker-client.ts'

const MAX_MS = 30 * 60_000
const BASE_TAG = 'proofboard-base'
const DOCKERFILE = join(PROJECT_ROOT, 'runner', 'sandbox', 'isolation', 'docker', 'Dockerfile')

/**
 * Builds the image in which agents run and returns its digest. `base`: null = what the Dockerfile names, `debootstrap`
 * = packages of this distribution, cached below `cache`, otherwise an image by digest. Throws a RunnerError.
 */
export async function buildImage(options: { base: string | null; cache: string }): Promise<Digest> {
  const { base, cache } = options
  if (base !== null && base !== 'debootstrap' && !/@sha256:[0-9a-f]{64}$/.test(base))
    throw placeError(
      `--base must be debootstrap or an image by digest (name@sha256:…), not "${base}"`,
    )
  const answers = await docker(['version', '--format', '{{.Server.Version}}'])
  if (answers.code !== 0) throw placeError(describeSilence(answers))
  const words = base === 'debootstrap' ? await importBase(cache) : ofRegistry(base)
  return inScratch('proofboard-image', async (context) => {
    const label = `--label=${LABEL.image}=1`
    const args = [
      'build',
      '--force-rm',
      `--tag=${IMAGE_TAG}`,
      label,
      `--file=${DOCKERFILE}`,
      ...words,
      context,
    ]
    const built = await docker(args, MAX_MS)
    const digest = built.code === 0 ? await findImage() : null
    if (digest !== null) return digest
    throw placeError(
      `the image could not be built ("${lastWord(built)}"): where no registry can be reached, use --base debootstrap`,
    )
  })
}

const ofRegistry = (base: string | null): string[] =>
  base === null ? [] : [`--build-arg=BASE=${base}`]

/** The base contains everything, so this build gets no network. */
async function importBase(cache: string): Promise<string[]> {
  const path = await makeBase(cache)
  const imported = await docker(['import', path, BASE_TAG], MAX_MS)
  if (imported.code !== 0)
    throw placeError(
      `docker did not take ${path} ("${lastWord(imported)}"): remove that file and run this again`,
    )
  return ['--network=none', `--build-arg=BASE=${BASE_TAG}`]
}

const MINUTES_MS = 60_000
const PACKAGES = 'ca-certificates,git,procps'

/**
 * Makes a root file system of this distribution, from its packages, as a tar file below `folder`. Takes a minute and
 * needs root; an existing file is reused. Throws a RunnerError that says what to do.
 */
async function makeBase(folder: string): Promise<string> {
  const codename = readCodename()
  const path = join(folder, `debootstrap-${codename}.tar`)
  if (existsSync(path)) return path
  if (process.getuid?.() !== 0)
    throw placeError('--base debootstrap needs root: run it with sudo, or remove --base')
  return inScratch('proofboard-base', async (work) => {
    const root = join(work, 'root')
    const draft = join(work, 'base.tar')
    await must(['debootstrap', '--variant=minbase', `--include=${PACKAGES}`, codename, root])
    await must(['tar', '-C', root, '--exclude=./var/cache/apt/archives/*.deb', '-cf', draft, '.'])
    await mkdir(dirname(path), { recursive: true })
    await move(draft, path)
    return path
  })
}

function readCodename(): string {
  try {
    const found = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))
    if (found?.[1]) return found[1].replaceAll('"', '')
  } catch {
    // reported below
  }
  throw placeError('--base debootstrap works on Debian and Ubuntu: remove --base')
}

async function must(argv: readonly string[]): Promise<void> {
  const ending = await runTool(argv, { env: TOOL_ENV, timeoutMs: 20 * MINUTES_MS })
  if (ending.stderr.includes('ENOENT'))
    throw placeError(`${argv[0]} is not installed: apt-get install ${argv[0]}`)
  if (ending.code !== 0)
    throw placeError(
      `${argv[0]} failed ("${lastWord(ending)}"): fix the problem and run this again`,
    )
}

/** Moves a file atomically, also between file systems. */
async function move(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}`
  try {
    await must(['cp', '--sparse=always', from, draft])
    await rename(draft, to)
  } finally {
    await rm(draft, { force: true })
  }
}
