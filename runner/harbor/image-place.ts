import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import { createAttemptDirs } from '../engine/workspace.ts'
import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { machineError } from '../runner-error.ts'
import { docker, lastWord } from '../sandbox/isolation/docker/docker-client.ts'
import { bind, bindReadOnly } from '../sandbox/isolation/docker/run-options.ts'
import { runnerLabels } from '../sandbox/isolation/docker/sweep-containers.ts'
import { addArtifacts, addLogs } from './artifacts.ts'
import { containerIsolation, type FileSystem, newFiles } from './container.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { prepareImage, prepareVerifierImage } from './image.ts'
import type { HarborPlace, HarborSettings } from './place.ts'
import { runSolution, runVerifier } from './run-script.ts'

/**
 * Opens an environment in the task's image. The whole file system counts as work. The verifier runs in a fresh
 * container with the subject's files, so that none of its processes is left.
 */
export async function openImagePlace(
  task: LoadedHarbor,
  settings: HarborSettings,
  name: string | null,
): Promise<HarborPlace> {
  const image = await prepareImage(task)
  const verifierImage = await prepareVerifierImage(task, image)
  const { agent, verifier, taskId } = task.task
  const place = await createAttemptDirs(settings.temporary, name, taskId)
  const { separate } = verifier
  const files = newFiles(separate === undefined ? image.digest : await addLogs(image.digest))
  const common = { task: task.task, image, files, docker: settings.judging }
  const isolation = containerIsolation({ ...common, keeps: true, user: agent.user, env: {} })
  return {
    ...place,
    isolation,
    description: `a container of ${task.task.image ?? 'its Dockerfile'} (${image.digest})`,
    solve: (log) => runSolution(task, { place, isolation, settings }, log),
    take: () => takeFiles(files, place.temporary),
    verify: async (_work, tests = task.tests) => {
      const fresh = await createAttemptDirs(settings.temporary, null, 'workspace')
      const own = { ...common, keeps: false, user: verifier.user, env: {} }
      try {
        if (separate !== undefined) {
          const given = await addArtifacts(verifierImage.digest, {
            work: files.image,
            paths: separate.artifacts,
            runMark: settings.runMark,
          })
          files.made.push(given)
          const alone = newFiles(given)
          const isolation = containerIsolation({ ...own, image: verifierImage, files: alone })
          const where = { place: fresh, isolation, settings, hasArtifacts: true }
          return await runVerifier(task, tests, where)
        }
        // HOME is part of the files. It is copied, so that one run cannot find files of another.
        await copyHome(place.home, fresh.home, { image: image.digest, runMark: settings.runMark })
        const isolation = containerIsolation(own)
        return await runVerifier(task, tests, { place: fresh, isolation, settings })
      } finally {
        await fresh.remove()
      }
    },
    before: async () => null,
    leave: async () => {
      for (const made of files.made.toReversed()) await docker(['rmi', '--force', made])
      await place.remove()
    },
  }
}

/** Copies as the image's root, because this machine's user cannot read files of the image's users. */
async function copyHome(
  from: string,
  to: string,
  { image, runMark }: { image: string; runMark: string },
): Promise<void> {
  await chmod(to, 0o777) // the image has other users than this machine
  const labels = Object.entries(runnerLabels(runMark)).map(
    ([key, value]) => `--label=${key}=${value}`,
  )
  const ending = await docker([
    ...['run', '--rm', '--pull=never', '--network=none', '--user=0', ...labels],
    ...[bindReadOnly(from, '/from'), bind(to, '/to'), '--entrypoint=/bin/sh'],
    ...[image, '-c', 'cp -a /from/. /to/'],
  ])
  if (ending.code !== 0)
    throw machineError(`the HOME of the task could not be copied: ${lastWord(ending)}`)
}

/** Limits for changed files that are stored as evidence. */
const MAX_FILES = 200
const MAX_FILE_BYTES = 1 << 20

/**
 * Lists the changes that docker reports, with the bytes of the first files. For the record only: the verifier sees
 * everything.
 */
async function takeFiles({ image, changed }: FileSystem, temporary: string): Promise<TakenWork> {
  const work: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const paths = [...changed.keys()].sort()
  const folders = new Set(paths.flatMap(foldersAbove))
  const leaves = paths.filter((path) => !folders.has(path))
  if (leaves.length === 0) return work
  const created = await docker(['create', '--pull=never', image, '/bin/true'])
  const id = created.stdout.trim()
  if (created.code !== 0) return work
  const folder = await mkdtemp(join(temporary, 'taken-'))
  try {
    for (const path of leaves) {
      if (work.changes.length >= MAX_FILES) break
      const change = await takeFile({ id, folder, path }, changed.get(path) === 'D')
      if (change !== null) work.changes.push(change)
    }
    return work
  } finally {
    await docker(['rm', '--force', id])
    await rm(folder, { recursive: true, force: true })
  }
}

/** `/a/b/c` → `/a`, `/a/b`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join('/'))
}

type Asked = { id: string; folder: string; path: string }

async function takeFile({ id, folder, path }: Asked, isGone: boolean): Promise<Change | null> {
  const plain = relativePathSchema.safeParse(path.slice(1))
  if (!plain.success) return null
  if (isGone) return { path: plain.data, bytes: null, executable: false }
  await rm(join(folder, 'file'), { recursive: true, force: true })
  const copied = await docker(['cp', `${id}:${path}`, join(folder, 'file')])
  if (copied.code !== 0) return null
  const found = await readPlainFile(folder, 'file', MAX_FILE_BYTES)
  return found.kind === 'read' ? { path: plain.data, bytes: found.bytes, executable: false } : null
}
