import { dirname, join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import { machineError } from '../runner-error.ts'
import { docker, dockerEnv, lastWord } from '../sandbox/isolation/docker/docker-client.ts'
import { makeImage, makeScriptImage } from '../sandbox/isolation/docker/run-image.ts'
import { labelArgv } from '../sandbox/isolation/docker/sweep-containers.ts'
import { runTool, TOOL_ENV } from '../sandbox/process/run-tool.ts'
import { inScratch } from '../scratch.ts'

const MAX_COPY_MS = 10 * 60_000

const FOLDERS = `
for name in agent artifacts verifier; do mkdir -p "/logs/$name"; chmod 777 "/logs/$name"; done
[ $# -eq 0 ] || mkdir -p "$@"`

/** Adds the folders below `/logs` that an agent may write to. */
export function addLogs(image: Digest): Promise<Digest> {
  return makeScriptImage(image, [FOLDERS])
}

type Copied = {
  /** The image after the agent's work. */
  work: Digest
  paths: readonly string[]
  /** Artifacts of other containers, which may be running. */
  others: readonly ContainerPath[]
  runMark: string
}

export type ContainerPath = { container: string; path: string }

/**
 * Makes the image in which the verifier starts: its own, with the agent's artifacts at their original paths. Artifacts
 * that the agent did not leave are missing. Docker copies between containers that never ran, so links cannot lead
 * elsewhere.
 */
export async function addArtifacts(
  verifier: Digest,
  { work, paths, others, runMark }: Copied,
): Promise<Digest> {
  const closed = ['--pull=never', '--network=none', ...labelArgv(runMark)]
  const create = ['create', ...closed, work, '/bin/true']
  const created = await docker(create, MAX_COPY_MS)
  const from = created.stdout.trim()
  if (created.code !== 0) throw machineError(`artifacts cannot be copied: ${lastWord(created)}`)
  try {
    const all = [...paths, ...others.map(({ path }) => path)]
    const script = [FOLDERS, 'sh', ...all.map((path) => dirname(path))]
    return await makeImage(verifier, { script, runMark }, async (to) => {
      for (const path of paths) await copyArtifact(path, { from, to })
      for (const { container, path } of others)
        await whilePaused(container, () => copyArtifact(path, { from: container, to }))
    })
  } finally {
    await docker(['rm', '--force', '--volumes', from])
  }
}

/** Pauses a container, so that nothing in it can replace a path by a link meanwhile. */
async function whilePaused(container: string, copy: () => Promise<void>): Promise<void> {
  // One that has ended cannot be paused, and needs not.
  const { code } = await docker(['pause', container])
  try {
    await copy()
  } finally {
    if (code === 0) await docker(['unpause', container])
  }
}

/** Size limit of one artifact, in blocks of 512 bytes. */
const MAX_BLOCKS = (4 * 2 ** 30) / 512
const ABSENT = 44
const COPY = `
ulimit -f ${MAX_BLOCKS}
docker cp --archive "$1:$2" - > "$4" || exit ${ABSENT}
docker cp --archive - "$3:$5" < "$4"`

async function copyArtifact(
  path: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  return inScratch('proofboard-image', async (scratch) => {
    const args = [from, path, to, join(scratch, 'artifact.tar'), dirname(path)]
    const copied = await runTool(['/bin/sh', '-c', COPY, 'sh', ...args], {
      env: { ...TOOL_ENV, ...dockerEnv() },
      timeoutMs: MAX_COPY_MS,
    })
    if (copied.code !== 0 && copied.code !== ABSENT)
      throw machineError(`the artifact ${path} cannot be copied: ${lastWord(copied)}`)
  })
}
