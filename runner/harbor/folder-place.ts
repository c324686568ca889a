import type { Arm } from '#lib/domain/record/index.ts'
import { layOverlay } from '../arms/overlay.ts'
import { createAttemptDirs } from '../engine/workspace.ts'
import { applyChanges } from '../repository/overlay.ts'
import { takeChanges } from '../repository/take-changes.ts'
import { readTree } from '../repository/tree.ts'
import { suiteError, usageError } from '../runner-error.ts'
import { type Isolation, ownFolders, type Places } from '../sandbox/isolation/isolation.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import type { HarborPlace, HarborSettings } from './place.ts'
import { waitUntilHealthy } from './prepare-step.ts'
import { makeLogs, runSolution, runVerifier, withMounts } from './run-script.ts'

/**
 * Opens an environment without an image: the task's folder in bubblewrap, at the path that its Dockerfile names. Only
 * the folder's files count as work; they are judged in a new sandbox.
 */
export async function openFolderPlace(
  task: LoadedHarbor,
  settings: HarborSettings,
  { name, arm }: { name: string | null; arm?: Arm | undefined },
): Promise<HarborPlace> {
  const { place: spec, taskId, env } = task.task
  if (spec.kind !== 'files') throw usageError(`${taskId} needs docker: ${spec.why}`, '--isolation')
  const { workdir } = spec
  const place = await createAttemptDirs(settings.temporary, name, taskId)
  await applyChanges(place.workspace, task.base)
  await layOverlay(place.workspace, arm)
  // Files of the arm are there from the start: not the subject's work, and never judged.
  const laid = new Set(arm?.files.map(({ path }) => path))
  const entries = await readTree(place.workspace)
  const pristine = new Map(task.base.map(({ path, bytes }) => [path, bytes]))
  const shown = showAt(settings.judging, place, { workdir, env })
  const isolation = withMounts(shown, [await makeLogs(place)])
  const where = { place, isolation, settings, network: task.task.agent.network === 'on' }
  const problem = await waitUntilHealthy(task, task.task.healthcheck, where)
  if (problem !== null) {
    await place.remove()
    throw suiteError(`${taskId} cannot be started: ${problem}`)
  }
  return {
    ...place,
    step: task,
    at: 0,
    isolation,
    description: `${workdir} as a folder, on the programs of this machine`,
    solve: (log) => runSolution(task, { place, isolation, settings }, log),
    take: (droppings) =>
      takeChanges(entries, place.workspace, {
        permissionOf: (path) => (laid.has(path) ? 'elsewhere' : 'allowed'),
        droppings,
        own: ownFolders(shown, place),
      }),
    verify: async ({ changes }, tests = task.tests) => {
      const fresh = await createAttemptDirs(settings.temporary, null, 'workspace')
      try {
        await applyChanges(fresh.workspace, [...task.base, ...changes])
        const own = showAt(settings.judging, fresh, { workdir, env })
        return await runVerifier(task, tests, { place: fresh, isolation: own, settings })
      } finally {
        await fresh.remove()
      }
    },
    before: async (path) => pristine.get(path) ?? null,
    advance: async () => {
      throw new Error(`${taskId} has no further step`)
    },
    leave: place.remove,
  }
}

/** Shows the workspace at the task's own path, where programs start. */
function showAt(
  isolation: Isolation,
  { workspace }: Places,
  { workdir, env }: { workdir: string; env: Record<string, string> },
): Isolation {
  const mount = { host: workspace, inside: workdir, writable: true }
  return {
    ...isolation,
    inside: (places) => ({ ...isolation.inside(places), workspace: workdir }),
    enclose: (request) =>
      isolation.enclose({
        ...request,
        startIn: workdir,
        env: { ...env, ...request.env },
        mounts: [mount, ...(request.mounts ?? [])],
      }),
  }
}
