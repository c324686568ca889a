import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  BROWSER_FAULTS,
  type BrowserFaultKind,
  type Plan,
  providerName,
} from '#lib/domain/record/index.ts'
import type { AppPool, Tenant, TenantRequest } from '../apps/app-pool.ts'
import { startAppPool } from '../apps/start-app-pool.ts'
import { findThirdParty } from '../apps/third-party/start-third-party-pool.ts'
import type { BrowserLease } from '../browser/browser-pool.ts'
import { findChromium } from '../browser/find-chromium.ts'
import { startBrowserPool } from '../browser/start-browser-pool.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  OpenedEnvironment,
  PreparedAttempt,
} from '../engine/environment-adapter.ts'
import { createAttemptDirs, type Workspace } from '../engine/workspace.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { fetchPackages } from '../libraries/installed-package.ts'
import { whyNoSandbox } from '../libraries/sandbox/library-sandbox.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { subjectError } from '../runner-error.ts'
import { localAsRunner } from '../sandbox/isolation/local.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { type BrowserSuite, isAgentTask, type LoadedWorkflow } from '../suites/task-folder.ts'
import { findPair } from './agent-pair.ts'
import { agentPlayer } from './agent-player.ts'
import { findWorkflowSubject, pickLibrary } from './find-workflow-subject.ts'
import { HarnessClock } from './harness-clock.ts'
import { modelPlayer } from './model-player.ts'
import { prepareWorkflow } from './prepare-workflow.ts'
import { ownScript, scriptedPlayer, WORKFLOW_CONTROLS } from './scripted-player.ts'
import type {
  PlannedFault,
  WorkflowContext,
  WorkflowPlayer,
  WorkflowPools,
} from './workflow-player.ts'

/**
 * Opens the environment adapter of a frozen plan of a browser suite, after resolving everything: Chromium, the library
 * in the planned version, unchanged scripts. Throws a one-sentence RunnerError before anything runs.
 */
export async function openWorkflowAdapter(
  plan: Plan,
  suite: BrowserSuite,
  gateway: ModelAccess & { libraryFile?: string | null },
): Promise<OpenedEnvironment> {
  const chromium = await findChromium(RUNNER_ENV)
  await fetchPackages(packagesOf(plan, suite, gateway.libraryFile ?? null))
  const player = await plannedPlayer(plan, suite, gateway)
  const refusal = await whyNoSandbox(RUNNER_ENV)
  const adapter = workflowAdapter(player, openWorkflowPools(refusal === null))
  const weakness = refusal && `libraries: they run without a sandbox here: ${refusal}`
  const [, name = '', version = ''] = /^(.*) (\S+)$/.exec(chromium.version) ?? []
  const { kind, version: libraryVersion } = plan.subject
  const libraries: Record<string, string> =
    kind !== 'control' && libraryVersion ? { [plan.subject.name]: libraryVersion } : {}
  return { adapter, browser: { name, version }, libraries, weakness }
}

/** Lists the npm packages of a plan's library and of the third-party apps that its tasks use. */
function packagesOf({ subject, tasks }: Plan, suite: BrowserSuite, file: string | null) {
  const isControl = WORKFLOW_CONTROLS.some((one) => one.subject.name === subject.name)
  const pair = findPair(subject.name, (library) => pickLibrary(library, file))
  const library = isControl ? null : (pair?.adapter ?? pickLibrary(subject.name, file))
  const names = new Set(tasks.map(({ taskId }) => taskId))
  const planned = suite.tasks.filter(({ task }) => names.has(task.taskId))
  const apps = planned.map(({ task }) => findThirdParty(task.app)?.package)
  return [...new Set([library?.package, ...apps])].filter((name) => typeof name === 'string')
}

/** Starts what the episodes of a run share: apps and browsers. */
export function openWorkflowPools(isSandboxed: boolean): StartPools {
  return async (run) => {
    const stagingFolder = join(run.temporary, 'd')
    await mkdir(stagingFolder)
    await chmod(stagingFolder, 0o755)
    return {
      apps: await startAppPool({ ...run, folder: run.temporary }),
      browsers: await startBrowserPool({
        ...run,
        env: RUNNER_ENV,
        stagingFolder: isSandboxed ? stagingFolder : null,
      }),
      isolation: localAsRunner,
      isSandboxed,
      stagingFolder,
    }
  }
}

type StartPools = Parameters<typeof workflowAdapter>[1]

async function plannedPlayer(
  { subject }: Plan,
  suite: BrowserSuite,
  { libraryFile = null, ...gateway }: ModelAccess & { libraryFile?: string | null },
): Promise<WorkflowPlayer> {
  const { name, modelRequested: model } = subject
  const provider = subject.provider && providerName(subject.provider)
  const { providers = knownProviders(null) } = gateway
  const request = { name, model, provider, providers, libraryFile }
  const here = await findWorkflowSubject(request, suite)
  if (here.version !== subject.version)
    throw subjectError(
      `${name} ${here.version} is installed, the plan was frozen for ${subject.version}: install that version or freeze a new plan`,
    )
  if (here.adapterVersion !== subject.adapterVersion || here.targeting !== subject.targeting)
    throw subjectError(
      `the plan was frozen with other scripts or another adapter of ${name}: freeze a new plan`,
    )
  const control = WORKFLOW_CONTROLS.find((one) => one.subject.name === name)
  if (control) return control
  const pair = findPair(name, (library) => pickLibrary(library, libraryFile))
  if (pair) return agentPlayer(pair, subject, gateway)
  const adapter = pickLibrary(name, libraryFile)
  if (model !== null) return modelPlayer(adapter, subject, gateway)
  return scriptedPlayer({ adapter, subject, mode: 'live', scriptOf: ownScript })
}

/** Starts apps and browsers of a run. */
type OpenWorkflowPools = (run: { temporary: string; runMark: string }) => Promise<WorkflowPools>

/** Runs browser workflows: an app for each episode, a browser that we own, judged by the state of the app's server. */
export function workflowAdapter(
  player: WorkflowPlayer,
  openPools: OpenWorkflowPools,
): EnvironmentAdapter {
  let pools: WorkflowPools | null = null
  let closing: Promise<unknown> | null = null
  const close = async () => {
    closing ??= Promise.allSettled([pools?.browsers.close(), pools?.apps.close()])
    await closing
  }
  // A stopped run waits only for its browsers to end: nothing is read from them or reset any more.
  const hasten = () => void close()
  return {
    mode: player.mode,
    secrets: player.secrets,
    open: async (run) => {
      pools = await openPools(run)
    },
    enter: (attempt) => {
      if (pools === null) throw new Error('the adapter was never opened')
      attempt.signal.addEventListener('abort', hasten, { once: true })
      return enter(attempt, player, pools)
    },
    close,
  }
}

async function enter(
  attempt: AttemptContext,
  player: WorkflowPlayer,
  pools: WorkflowPools,
): Promise<PreparedAttempt> {
  const clock = new HarnessClock()
  return clock.phase(() => enterTimed(attempt, player, pools, clock))
}

async function enterTimed(
  attempt: AttemptContext,
  player: WorkflowPlayer,
  pools: WorkflowPools,
  clock: HarnessClock,
): Promise<PreparedAttempt> {
  const { task, plan } = attempt
  if (isAgentTask(task)) throw new Error(`${task.task.taskId} is not a browser workflow`)
  const undo: (() => Promise<unknown>)[] = []
  try {
    const place = await createAttemptDirs(pools.stagingFolder, attempt.folderName, 'place')
    undo.push(place.remove)
    const fault = plannedFault(task, plan.settings.fault)
    const reuse = plan.settings.browser ?? 'reused'
    const { webdriver } = player
    const sandboxed = pools.isSandboxed
    const lease = await clock.part('lease browser', () =>
      pools.browsers.lease({ reuse, webdriver, sandboxed }),
    )
    undo.push(lease.release)
    const tenant = await clock.part('open app', () =>
      openTenant(attempt, task, { fault, browser: lease.rootPid }, pools.apps),
    )
    undo.push(tenant.close)
    const downloads = join(place.folder, 'downloads')
    await mkdir(downloads)
    await clock.part('prepare page', () => lease.prepare(downloads))
    if (fault) arm(fault.kind, tenant, lease)
    const files = await layFiles(task, place)
    const context: WorkflowContext = {
      attempt,
      task,
      player,
      pools,
      place,
      tenant,
      lease,
      files,
      fault,
      clock,
    }
    return prepareWorkflow(context)
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
  terms: Pick<TenantRequest, 'fault' | 'browser'>,
  apps: AppPool,
): Promise<Tenant> {
  // A DNS label: letters and digits, unique because the episode's name is.
  const tenant = `e${marker.replace(/[^0-9a-f]/g, '').slice(0, 24)}`
  return apps.open({ app: task.app, tenant, seed: task.seed, ...terms })
}

/** Injects faults that the app's server cannot cause through our connection, while the server holds the request. */
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
  if (!injector) throw new Error(`no injector for "${kind}"`)
  tenant.onPoint(injector)
}

/** Copies the user's own files to where a library may read them without the rest of the task's folder. */
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
