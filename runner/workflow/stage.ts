import type { BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import type { AppHouse, Tenant } from '../apps/app-house.ts'
import type { Visit } from '../arena.ts'
import type { BrowserHouse, BrowserLease } from '../browser/browser-house.ts'
import type { Isolation } from '../isolation/isolation.ts'
import type { Workspace } from '../phases/make-places.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import type { WorkflowPlayer } from './workflow-player.ts'

/** What all browser episodes of a run share. */
export type WorkflowHouse = {
  apps: AppHouse
  browsers: BrowserHouse
  isolation: Isolation
  /** Whether libraries are kept from everything but their browser. */
  isSandboxed: boolean
  /** The folder of all episodes' places: the only one that a sandboxed browser sees beside its own. */
  desks: string
}

/** A fault and the request at which it is broken in. */
export type PlannedFault = { kind: BrowserFaultKind; at: string }

/** Everything of one browser episode that was made before its subject begins. */
export type Stage = {
  visit: Visit
  task: LoadedWorkflow
  player: WorkflowPlayer
  house: WorkflowHouse
  place: Workspace
  tenant: Tenant
  lease: BrowserLease
  files: Readonly<Record<string, string>>
  fault: PlannedFault | null
}
