import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BROWSER_FAULTS, type BrowserFaultKind } from '#lib/domain/record/browser.ts'
import type { Environment } from '#lib/domain/record/environment.ts'
import type { Plan } from '#lib/domain/record/plan.ts'
import type { AppHouse, Tenant, TenantOrder } from '../apps/app-pool.ts'
import { startAppHouse } from '../apps/start-app-pool.ts'
import type { BrowserLease } from '../browser/browser-pool.ts'
import { findChromium } from '../browser/find-chromium.ts'
import { startBrowserHouse } from '../browser/start-browser-pool.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  PreparedAttempt,
} from '../engine/environment-adapter.ts'
import { makePlaces, type Workspace } from '../engine/workspace.ts'
import type { GatewayOptions } from '../gateway/create-gateway.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { whyNoSandbox } from '../libraries/sandbox/library-sandbox.ts'
import { localAsRunner } from '../sandbox/isolation/local.ts'
import { OWN_ENV } from '../sandbox/process/own-env.ts'
import { AgentError } from '../subjects/agents/agent-definition.ts'
import type { BrowserSuite } from '../suites/load-suite.ts'
import { isExercise, type LoadedWorkflow } from '../suites/task-folder.ts'
import { findWorkflowSubject } from './find-workflow-subject.ts'
import { modelPlayer } from './model-player.ts'
import { ownScript, scriptedPlayer, WORKFLOW_CONTROLS } from './scripted-player.ts'
import type { PlannedFault, Stage, WorkflowHouse, WorkflowPlayer } from './workflow-player.ts'
import { workflowScene } from './workflow-scene.ts'

/** What a browser run needs to know of this machine before its first episode. */
export type OpenedArena = { arena: EnvironmentAdapter } & Pick<
  Environment,
  'browser' | 'libraries' | 'verifier'
>

/**
 * The arena of a frozen plan of a browser suite, after everything it needs was found here: Chromium, the library in the
 * planned version, the scripts as they were. Throws AgentError or BrowserError, in one sentence, before anything runs.
 */
export async function openWorkflowArena(
  plan: Plan,
  suite: BrowserSuite,
  gateway: GatewayOptions,
): Promise<OpenedArena> {
  const chromium = await findChromium(OWN_ENV)
  const player = await plannedPlayer(plan, suite, gateway)
  const arena = workflowArena(player, await openWorkflowHouse())
  const [, name = '', version = ''] = /^(.*) (\S+)$/.exec(chromium.version) ?? []
  const { kind, version: libraryVersion } = plan.subject
  const libraries: Record<string, string> =
    kind === 'library' && libraryVersion ? { [plan.subject.name]: libraryVersion } : {}
  return { arena, browser: { name, version }, libraries }
}

/** What the episodes of a run share: apps, browsers, and the sandbox of libraries where this machine has one. */
export async function openWorkflowHouse(): Promise<OpenHouse> {
  const isSandboxed = (await whyNoSandbox(OWN_ENV)) === null
  return async (run) => {
    const desks = join(run.temporary, 'd')
    await mkdir(desks)
    await chmod(desks, 0o755)
    return {
      apps: await startAppHouse({ ...run, folder: run.temporary }),
      browsers: await startBrowserHouse({
        ...run,
        own: OWN_ENV,
        desks: isSandboxed ? desks : null,
      }),
      ...{ isolation: localAsRunner, isSandboxed, desks },
    }
  }
}

type OpenHouse = Parameters<typeof workflowArena>[1]

async function plannedPlayer(
  { subject }: Plan,
  suite: BrowserSuite,
  gateway: GatewayOptions,
): Promise<WorkflowPlayer> {
  const { name, provider, modelRequested: model } = subject
  const here = await findWorkflowSubject({ name, model, provider }, suite)
  if (here.version !== subject.version)
    throw new AgentError(
      `${name} ${here.version} is installed, the plan was frozen for ${subject.version}: install that version or freeze a new plan`,
    )
  if (here.adapterVersion !== subject.adapterVersion || here.targeting !== subject.targeting)
    throw new AgentError(
      `the plan was frozen with other scripts or another adapter of ${name}: freeze a new plan`,
    )
  const control = WORKFLOW_CONTROLS.find((one) => one.subject.name === name)
  if (control) return control
  const adapter = LIBRARIES.find((library) => library.name === name) as LibraryAdapter
  if (model !== null) return modelPlayer(adapter, subject, gateway)
  return scriptedPlayer({ adapter, subject, mode: 'live', scriptOf: ownScript })
}

/** Starts apps and browsers of a run. */
type OpenWorkflowHouse = (run: { temporary: string; runMark: string }) => Promise<WorkflowHouse>

/** Browser workflows: an app of the episode's own, a browser that we own, judged by what the app's server holds. */
export function workflowArena(
  player: WorkflowPlayer,
  openHouse: OpenWorkflowHouse,
): EnvironmentAdapter {
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

async function enter(
  visit: AttemptContext,
  player: WorkflowPlayer,
  house: WorkflowHouse,
): Promise<PreparedAttempt> {
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
  { marker }: AttemptContext,
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
