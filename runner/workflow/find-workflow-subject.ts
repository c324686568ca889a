import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import type { Subject } from '#lib/domain/record/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { libraryVersion } from '../libraries/installed-package.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { mcpLibrary } from '../libraries/mcp/mcp-library.ts'
import { readLibraryFile } from '../libraries/mcp/read-library-file.ts'
import { MODEL_PROMPT_VERSION } from '../libraries/model-prompt.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import type { KnownProviders } from '../providers/known-providers.ts'
import { subjectError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { chooseModel } from '../subjects/agents/providers.ts'
import { DRIVER_FILE } from '../suites/read-workflow.ts'
import type { BrowserSuite } from '../suites/task-folder.ts'
import { findPair, pairSubject } from './agent-pair.ts'
import { modelDriven } from './model-driven.ts'
import { WORKFLOW_CONTROLS } from './scripted-player.ts'

export type WorkflowSubjectQuery = {
  name: string
  model: string | null
  provider: string | null
  providers: KnownProviders
  /** A user's own MCP server. */
  libraryFile?: string | null
}

/** Lists the subjects that can be measured on browser workflows. */
export function listWorkflowSubjects(): string[] {
  return [
    ...LIBRARIES.map(({ name }) => name),
    ...WORKFLOW_CONTROLS.map(({ subject }) => subject.name),
  ]
}

/**
 * Resolves the subject that a plan of a browser suite freezes. A library's adapter version covers the scripts that it
 * plays, so that other scripts give other rows. Throws a one-sentence RunnerError.
 */
export async function findWorkflowSubject(
  { name, model, provider, providers, libraryFile = null }: WorkflowSubjectQuery,
  suite: Pick<BrowserSuite, 'tasks'>,
): Promise<Subject> {
  const control = WORKFLOW_CONTROLS.find(({ subject }) => subject.name === name)
  if (control && libraryFile === null) return control.subject
  const pair = findPair(name, (library) => pickLibrary(library, libraryFile))
  if (pair) return pairSubject(pair, await identify(pair.adapter), { model, provider, providers })
  const adapter = pickLibrary(name, libraryFile)
  const identity = await identify(adapter)
  if (adapter.modelOnly && model === null)
    throw subjectError(
      `only a model can drive "${name}": name one, as in --model claude-sonnet-4-6`,
      '--model',
    )
  if (model === null && provider === null)
    return { ...identity, adapterVersion: `${adapter.adapterVersion}+${digestDrivers(suite)}` }
  const { openTools, modelLoop } = adapter
  if (!openTools && !modelLoop)
    throw subjectError(
      `"${name}" is not an MCP server, so no model can drive it: remove --model and --provider`,
      '--model',
    )
  const chosen = chooseModel(modelDriven(adapter), { model, provider }, providers, RUNNER_ENV)
  const loop = modelLoop ? `+loop.${modelLoop.version}` : ''
  const adapterVersion = `${adapter.adapterVersion}${loop}+prompt.${MODEL_PROMPT_VERSION}`
  return { ...identity, adapterVersion, ...chosen }
}

/**
 * Finds a library by its name, or in the user's own file, whose name has to match. Throws a one-sentence RunnerError.
 */
export function pickLibrary(name: string, file: string | null): LibraryAdapter {
  if (file === null) {
    const found = LIBRARIES.find((library) => library.name === name)
    if (found) return found
    const unknown = unknownName('browser library', name, listWorkflowSubjects())
    const own = `${unknown.endsWith('?') ? ' Else' : ', or'} name the file of your own: --library-file FILE`
    throw subjectError(`${unknown}${own}`, '--subject')
  }
  const adapter = loadLibraryFile(file)
  if (adapter.name === name) return adapter
  throw subjectError(
    `${file} defines the library "${adapter.name}", not "${name}": write --subject ${adapter.name}`,
    '--subject',
  )
}

/** Loads a user's own MCP server; it cannot have the name of a shipped one. */
export function loadLibraryFile(file: string): LibraryAdapter {
  const adapter = mcpLibrary(readLibraryFile(file))
  if (!listWorkflowSubjects().includes(adapter.name)) return adapter
  throw subjectError(
    `${file}: the name "${adapter.name}" is included in Proofboard: choose another`,
  )
}

/** Describes the library as it is installed here. Throws a RunnerError that says what is missing. */
export async function identify(adapter: LibraryAdapter): Promise<Subject> {
  const missing = adapter.findMissing(RUNNER_ENV)
  if (missing !== null) throw subjectError(missing, '--subject')
  const version = await libraryVersion(adapter, RUNNER_ENV)
  if (version === null)
    throw subjectError(
      `${adapter.title} does not print its version, which a plan needs`,
      '--subject',
    )
  const { name, targeting } = adapter
  const unknownModel = { adapterVersion: null, provider: null, modelRequested: null }
  return { kind: 'library', name, version, ...unknownModel, targeting }
}

/** Returns eight characters that change with any script of the suite. */
export function digestDrivers({ tasks }: Pick<BrowserSuite, 'tasks'>): string {
  const drivers = tasks.map(({ folder, task }) => [
    task.taskId,
    digestBytes(readFileSync(join(folder, DRIVER_FILE))),
  ])
  return digestJson(drivers).slice('sha256:'.length, 'sha256:'.length + 8)
}
