import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BROWSER_FAULTS, type BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import type { AppHouse, Tenant, TenantOrder } from '../apps/app-house.ts'
import type { Arena, Scene, Visit } from '../arena.ts'
import type { BrowserLease } from '../browser/browser-house.ts'
import { makePlaces, type Workspace } from '../phases/make-places.ts'
import { isExercise, type LoadedWorkflow } from '../suites/task-folder.ts'
import type { PlannedFault, Stage, WorkflowHouse } from './stage.ts'
import type { WorkflowPlayer } from './workflow-player.ts'
import { workflowScene } from './workflow-scene.ts'

/** Starts apps and browsers of a run. */
export type OpenWorkflowHouse = (run: {
  temporary: string
  runMark: string
}) => Promise<WorkflowHouse>

/** Browser workflows: an app of the episode's own, a browser that we own, judged by what the app's server holds. */
export function workflowArena(player: WorkflowPlayer, openHouse: OpenWorkflowHouse): Arena {
  let house: WorkflowHouse | null = null
  let closing: Promise<unknown> | null = null
  const close = async () => {
    closing ??= Promise.allSettled([house?.browsers.close(), house?.apps.close()])
    await closing
  }
  // Whoever stops a run waits for its browsers to be gone: nothing is read from them or emptied any more.
  const hasten = () => void close()
  return {
    mode: player.mode,
    secrets: player.secrets,
    open: async (run) => {
      house = await openHouse(run)
    },
    enter: (visit) => {
      if (house === null) throw new Error('the arena was never opened')
      visit.signal.addEventListener('abort', hasten, { once: true })
      return enter(visit, player, house)
    },
    close,
  }
}

async function enter(visit: Visit, player: WorkflowPlayer, house: WorkflowHouse): Promise<Scene> {
  const start = performance.now()
  const { task, plan } = visit
  if (isExercise(task)) throw new Error(`${task.task.taskId} is no browser workflow`)
  const undo: (() => Promise<unknown>)[] = []
  try {
    const place = await makePlaces(house.desks, visit.folderName, 'desk')
    undo.push(place.remove)
    const fault = plannedFault(task, plan.settings.fault)
    const reuse = plan.settings.browser ?? 'reused'
    const { webdriver } = player
    const sandboxed = house.isSandboxed
    const lease = await house.browsers.lease({ reuse, webdriver, sandboxed })
    undo.push(lease.release)
    const tenant = await openTenant(visit, task, { fault, browser: lease.rootPid }, house.apps)
    undo.push(tenant.close)
    const downloads = join(place.folder, 'downloads')
    await mkdir(downloads)
    await lease.prepare(downloads)
    if (fault) arm(fault.kind, tenant, lease)
    const files = await layFiles(task, place)
    const stage: Stage = { visit, task, player, house, place, tenant, lease, files, fault }
    return workflowScene(stage, performance.now() - start)
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => {})
    throw error
  }
}

function plannedFault({ task }: LoadedWorkflow, kind: string | undefined): PlannedFault | null {
  if (kind === undefined) return null
  const at = task.faults[kind as BrowserFaultKind]
  if (at === undefined) throw new Error(`${task.taskId} declares no fault "${kind}"`)
  return { kind: kind as BrowserFaultKind, at }
}

function openTenant(
  { marker }: Visit,
  { task }: LoadedWorkflow,
  terms: Pick<TenantOrder, 'fault' | 'browser'>,
  apps: AppHouse,
): Promise<Tenant> {
  // A DNS label: letters and digits, unique because the episode's name is.
  const tenant = `e${marker.replace(/[^0-9a-f]/g, '').slice(0, 24)}`
  return apps.open({ app: task.app, tenant, seed: task.seed, ...terms })
}

/** Whatever the app's server cannot break itself is broken through our own connection, while it holds the request. */
function arm(kind: BrowserFaultKind, tenant: Tenant, lease: BrowserLease): void {
  if (BROWSER_FAULTS[kind].by === 'app') return
  const { origin } = tenant
  const inject: Partial<Record<BrowserFaultKind, () => Promise<string | null>>> = {
    'renderer-crash': () => lease.crashRenderer(origin),
    'closed-tab': () => lease.closeTab(origin),
    dialog: () => lease.openDialog(origin),
    'dropped-connection': lease.dropConnections,
  }
  const injector = inject[kind]
  if (!injector) throw new Error(`nobody injects "${kind}"`)
  tenant.onPoint(injector)
}

/** The user's own files, where a library may read them and nothing of the task's folder lies beside. */
async function layFiles(
  { folder, task }: LoadedWorkflow,
  { workspace }: Workspace,
): Promise<Record<string, string>> {
  const laid: Record<string, string> = {}
  for (const path of task.files) {
    const target = join(workspace, path)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(folder, path), target)
    laid[path] = target
  }
  return laid
}
