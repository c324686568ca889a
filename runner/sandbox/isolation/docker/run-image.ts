import { chmod, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Digest, digestJson, digestSchema } from '#lib/domain/digest/index.ts'
import { placeError } from '../../../runner-error.ts'
import { inScratch } from '../../../scratch.ts'
import { shareWork } from '../../../share-work.ts'
import { nodeProgram } from '../../process/node-program.ts'
import { insideProgram, type ProgramFolder } from '../isolation.ts'
import { INSIDE_NODE_PROGRAM } from '../node-mounts.ts'
import { checkImage } from './check-image.ts'
import { docker, findImage, LABEL, lastWord } from './docker-client.ts'
import { fetchNode } from './linux-node.ts'
import { labelArgv, RUN_REPOSITORY, runnerLabels } from './sweep-containers.ts'

const MAX_MS = 15 * 60_000
const shareMaking = shareWork<Digest>()

const made = new Map<string, Promise<Digest>>()

/**
 * Makes the image in which programs of a subject run: `base` with node and what `agents install` has installed. Nothing
 * of this machine is mounted, whose programs may be for another system. Made once per content, and looked up once per
 * process. Throws a RunnerError with one sentence that starts with `what`.
 */
export function makeRunImage(
  base: Digest,
  programs: readonly ProgramFolder[],
  what: string,
): Promise<Digest> {
  const key = digestJson({ base, programs })
  const known = made.get(key)
  if (known !== undefined) return known
  const making = make(base, programs, what)
  made.set(key, making)
  making.catch(() => made.delete(key))
  return making
}

async function make(
  base: Digest,
  programs: readonly ProgramFolder[],
  what: string,
): Promise<Digest> {
  const platform = await checkImage(base, { what, needsNode: true })
  const node = { platform, version: nodeProgram().version }
  const withNode = await makeOnce({ base, node }, [base, '/bin/true'], async (id) => {
    const program = await fetchNode(platform)
    await copyTree(id, INSIDE_NODE_PROGRAM, program)
  })
  if (programs.length === 0) return withNode
  const contents = await Promise.all(
    programs.map(async ({ host, name }) => [name, await fingerprint(host)]),
  )
  return makeOnce({ base: withNode, contents }, [withNode, '/bin/true'], async (id) => {
    for (const program of programs) await copyTree(id, insideProgram(program), program.host)
  })
}

/**
 * Finds an image by a tag with the key of its content, or makes it from a container, whose image and `command` are given,
 * that `fill` copies files into.
 */
function makeOnce(
  content: object,
  command: readonly string[],
  fill: (container: string) => Promise<void>,
): Promise<Digest> {
  const key = digestJson(content).slice('sha256:'.length)
  const tag = `${RUN_REPOSITORY}:${key.slice(0, 40)}`
  return shareMaking(tag, async () => {
    const known = await findImage(tag)
    if (known !== null) {
      // Records its use: `sweepImages` removes unused images.
      await docker(['tag', known, tag])
      return known
    }
    return fillFrom([...labelArgv('image'), ...command], fill, [tag])
  })
}

async function fillFrom(
  command: readonly string[],
  fill: (container: string) => Promise<void>,
  tags: readonly string[],
): Promise<Digest> {
  const created = await docker(['create', '--pull=never', '--network=none', ...command], MAX_MS)
  const id = created.stdout.trim()
  if (created.code !== 0) throw failed(lastWord(created))
  try {
    await fill(id)
    // Labels are inherited from base and container; a tagged image outlives its runner.
    const cleared = [LABEL.image, ...(tags.length > 0 ? Object.keys(runnerLabels('')) : [])]
    const labels = `LABEL ${LABEL.runImage}=1 ${cleared.map((label) => `${label}=`).join(' ')}`
    const committed = await docker(['commit', '--change', labels, id, ...tags], MAX_MS)
    const digest = digestSchema.safeParse(committed.stdout.trim())
    if (committed.code !== 0 || !digest.success) throw failed(lastWord(committed))
    return digest.data
  } finally {
    await docker(['rm', '--force', '--volumes', id])
  }
}

/** Makes the image after a shell script that the image's root ran, once per content; the configured user is lost. */
export function makeScriptImage(base: Digest, script: readonly string[]): Promise<Digest> {
  return makeOnce({ base, script }, scripted(base, script), startIt)
}

/**
 * Makes an untagged image for one attempt, which removes it; `runMark` identifies it if that attempt was killed. `script`
 * runs as the image's root before `fill` copies into it; the configured user is lost.
 */
export function makeImage(
  base: Digest,
  { script, runMark }: { script: readonly string[]; runMark: string },
  fill: (container: string) => Promise<void>,
): Promise<Digest> {
  const start = async (id: string) => {
    await startIt(id)
    await fill(id)
  }
  return fillFrom([...labelArgv(runMark), ...scripted(base, script)], start, [])
}

const scripted = (base: Digest, script: readonly string[]) => [
  '--user=0',
  '--entrypoint=/bin/sh',
  base,
  '-c',
  ...script,
]

async function startIt(id: string): Promise<void> {
  const ran = await docker(['start', '--attach', id], MAX_MS)
  if (ran.code !== 0) throw failed(lastWord(ran))
}

const failed = (why: string) =>
  placeError(`the image with the programs of Proofboard cannot be made: ${why}`)

/** Copies a file or folder into a container and creates its parent folders, which docker does not. */
async function copyTree(container: string, inside: string, host: string): Promise<void> {
  return inScratch('proofboard-image', async (scratch) => {
    const target = join(scratch, inside)
    await mkdir(dirname(target), { recursive: true })
    const isFolder = (await lstat(host)).isDirectory()
    if (isFolder) await mkdir(target)
    else {
      await copyFile(host, target)
      await chmod(target, 0o755)
    }
    await openFolders(scratch)
    // Owners are kept, so permissions inside are those of this machine.
    const copied = await docker(['cp', '--archive', `${scratch}/.`, `${container}:/`], MAX_MS)
    if (copied.code !== 0) throw failed(lastWord(copied))
    if (!isFolder) return
    const filled = await docker(['cp', '--archive', `${host}/.`, `${container}:${inside}`], MAX_MS)
    if (filled.code !== 0) throw failed(lastWord(filled))
  })
}

/** Opens folders whatever the umask was: they may become folders of the image. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

/**
 * Digest of the names, sizes, modes and times of a tree; contents are not read, because they may be hundreds of
 * megabytes.
 */
async function fingerprint(folder: string): Promise<Digest> {
  const lines: (string | number)[][] = []
  const look = async (path: string, name: string): Promise<void> => {
    const found = await lstat(path)
    lines.push([name, found.size, found.mode, Math.floor(found.mtimeMs)])
    if (!found.isDirectory()) return
    for (const entry of await readdir(path)) await look(join(path, entry), `${name}/${entry}`)
  }
  await look(folder, '')
  lines.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return digestJson(lines)
}
