import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '#lib/domain/environment.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { AgentError } from '../agents/agent-error.ts'
import type { GatewayHouse } from '../agents/gateway-house.ts'
import { startAppHouse } from '../apps/start-app-house.ts'
import type { Arena } from '../arena.ts'
import { findChromium } from '../browser/find-chromium.ts'
import { startBrowserHouse } from '../browser/start-browser-house.ts'
import { localAsRunner } from '../isolation/local.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { whyNoSandbox } from '../libraries/sandbox/library-sandbox.ts'
import { OWN_ENV } from '../process/own-env.ts'
import type { BrowserSuite } from '../suites/load-suite.ts'
import { findWorkflowSubject } from './find-workflow-subject.ts'
import { modelPlayer } from './model-player.ts'
import { ownScript, scriptedPlayer } from './scripted-player.ts'
import { workflowArena } from './workflow-arena.ts'
import { WORKFLOW_CONTROLS } from './workflow-controls.ts'
import type { WorkflowPlayer } from './workflow-player.ts'

/** What a browser run needs to know of this machine before its first episode. */
export type OpenedArena = { arena: Arena } & Pick<Environment, 'browser' | 'libraries' | 'verifier'>

/**
 * The arena of a frozen plan of a browser suite, after everything it needs was found here: Chromium, the library in the
 * planned version, the scripts as they were. Throws AgentError or BrowserError, in one sentence, before anything runs.
 */
export async function openWorkflowArena(
  plan: FrozenPlan,
  suite: BrowserSuite,
  gateway: GatewayHouse,
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
  { subject }: FrozenPlan,
  suite: BrowserSuite,
  gateway: GatewayHouse,
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
