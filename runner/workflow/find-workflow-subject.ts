import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes, digestJson, type Subject, unknownName } from '#lib/domain/record/index.ts'
import { MODEL_PROMPT_VERSION } from '../libraries/drive-by-model.ts'
import { libraryVersion } from '../libraries/installed-package.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import type { KnownProviders } from '../providers/known-providers.ts'
import { subjectError } from '../runner-error.ts'
import { OWN_ENV } from '../sandbox/process/own-env.ts'
import { chooseModel } from '../subjects/agents/providers.ts'
import type { BrowserSuite } from '../suites/load-suite.ts'
import { DRIVER_FILE } from '../suites/read-workflow.ts'
import { modelDriven } from './model-player.ts'
import { WORKFLOW_CONTROLS } from './scripted-player.ts'

export type WorkflowSubjectQuery = {
  name: string
  model: string | null
  provider: string | null
  providers: KnownProviders
}

/** The subjects that can be measured on browser workflows. */
export function listWorkflowSubjects(): string[] {
  return [
    ...LIBRARIES.map(({ name }) => name),
    ...WORKFLOW_CONTROLS.map(({ subject }) => subject.name),
  ]
}

/**
 * The subject that a plan of a browser suite freezes. A library's adapter version covers the scripts that it plays, so
 * that rows of other scripts are other rows. Throws a RunnerError, in one sentence.
 */
export async function findWorkflowSubject(
  { name, model, provider, providers }: WorkflowSubjectQuery,
  suite: Pick<BrowserSuite, 'tasks'>,
): Promise<Subject> {
  const control = WORKFLOW_CONTROLS.find(({ subject }) => subject.name === name)
  if (control) return control.subject
  const adapter = LIBRARIES.find((library) => library.name === name)
  if (!adapter)
    throw subjectError(unknownName('browser library', name, listWorkflowSubjects()), '--subject')
  const identity = await identify(adapter)
  if (model === null && provider === null)
    return { ...identity, adapterVersion: `${adapter.adapterVersion}+${digestDrivers(suite)}` }
  if (!adapter.openTools)
    throw subjectError(
      `"${name}" is not an MCP server, so no model can drive it: remove --model and --provider`,
      '--model',
    )
  const chosen = chooseModel(modelDriven(adapter), { model, provider }, providers, OWN_ENV)
  const adapterVersion = `${adapter.adapterVersion}+prompt.${MODEL_PROMPT_VERSION}`
  return { ...identity, adapterVersion, ...chosen }
}

/** The library as it is installed here. Throws an a RunnerError that says what is missing. */
export async function identify(adapter: LibraryAdapter): Promise<Subject> {
  const missing = adapter.findMissing(OWN_ENV)
  if (missing !== null) throw subjectError(missing, '--subject')
  const version = await libraryVersion(adapter, OWN_ENV)
  if (version === null)
    throw subjectError(
      `${adapter.title} does not say which version it is, and a plan needs one`,
      '--subject',
    )
  const { name, targeting } = adapter
  const nobody = { adapterVersion: null, provider: null, modelRequested: null }
  return { kind: 'library', name, version, ...nobody, targeting }
}

/** Eight letters that change with any script of the suite. */
function digestDrivers({ tasks }: Pick<BrowserSuite, 'tasks'>): string {
  const drivers = tasks.map(({ folder, task }) => [
    task.taskId,
    digestBytes(readFileSync(join(folder, DRIVER_FILE))),
  ])
  return digestJson(drivers).slice('sha256:'.length, 'sha256:'.length + 8)
}
