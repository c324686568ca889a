import type { Plan, Subject } from '#lib/domain/record/index.ts'
import { type AgentDefinition, SCRIPTED } from '#lib/domain/runs/index.ts'
import { type ModelAccess, openAttemptGateway } from '../../gateway/attempt-gateway.ts'
import { subjectError } from '../../runner-error.ts'
import { concealKeys } from '../../sandbox/process/own-env.ts'
import type { SubjectContext, SubjectDriver } from '../subject-driver.ts'
import { adapterVersion } from './agent-definition.ts'
import { agentDriver } from './agent-driver.ts'
import { readAgentVersion } from './agent-program.ts'
import { findBinary } from './find-binary.ts'
import { chooseModel, findProvider, type ModelSource, modeOf, type Provider } from './providers.ts'

type Own = Readonly<Record<string, string | undefined>>

/**
 * The driver of the agent that a frozen plan names, after everything it needs was found here: the same definition, the
 * same version, a key unless the model is scripted or replayed, and a gateway. Throws a RunnerError, in one sentence, before anything runs.
 */
export async function plannedAgent(
  { subject }: Pick<Plan, 'subject'>,
  definition: AgentDefinition,
  own: Own,
  access: ModelAccess,
): Promise<SubjectDriver> {
  const { name } = definition
  const provider = findProvider(definition, subject.provider ?? '')
  if (!provider || subject.modelRequested === null)
    throw subjectError(`the plan names no provider and model of ${name}: freeze a new plan`)
  if (subject.adapterVersion !== adapterVersion(definition))
    throw subjectError(
      `the plan was frozen with another definition of ${name} or another prompt: freeze a new plan`,
    )
  const installed = await findInstalled(definition, own)
  if (installed.version !== subject.version)
    throw subjectError(
      `${name} ${installed.version} is installed, the plan was frozen for ${subject.version}: install that version or freeze a new plan`,
    )
  const { source } = access
  checkModelSource(name, subject.provider === SCRIPTED, source)
  const mode = modeOf(source, subject)
  const key = source.kind === 'replay' ? null : findKey(definition, provider, own)
  const { protocol } = provider
  const openGateway =
    definition.metering === 'gateway' && protocol !== null
      ? (attempt: SubjectContext) =>
          openAttemptGateway(
            { ...access, subject, provider: { name: provider.name, protocol }, key },
            attempt,
          )
      : null
  return agentDriver({ definition, subject, provider, key, openGateway, mode, ...installed, own })
}

/** A scripted model plays for the provider `scripted` only: anything else would pass for real. */
export function checkModelSource(name: string, isScripted: boolean, { kind }: ModelSource): void {
  if (isScripted && kind === 'provider')
    throw subjectError(
      `the provider "${SCRIPTED}" answers from a script: say which with --script solve or --script file.json`,
    )
  if (!isScripted && kind === 'scripted')
    throw subjectError(
      `--script goes with --provider ${SCRIPTED}: ${name} was asked for a real one`,
    )
}

/** The value stays in this process; the gateway and, for an unmetered agent, the agent itself are given it. */
export function findKey(
  { name }: Pick<AgentDefinition, 'name'>,
  provider: Provider,
  own: Own,
): string | null {
  if (provider.keys.length === 0) return null
  const found = provider.keys.map((key) => own[key]).find(Boolean)
  concealKeys(provider.keys)
  if (found) return found
  const where = provider.keysFrom ? `: get a key at ${provider.keysFrom} and set it` : ''
  throw subjectError(
    `${name} needs ${provider.keys.join(' or ')} in the environment to reach ${provider.title}${where}`,
    '--provider',
  )
}

/**
 * The subject that a plan freezes: the agent in the version that is installed, the provider, the model as that provider
 * calls it. Without a provider it is the first one that has a key here. Throws a RunnerError, in one sentence.
 */
export async function chooseAgent(
  definition: AgentDefinition,
  asked: { model: string | null; provider: string | null },
  own: Own,
): Promise<Subject> {
  const chosen = chooseModel(definition, asked, own)
  return {
    kind: 'agent',
    name: definition.name,
    version: (await findInstalled(definition, own)).version,
    adapterVersion: adapterVersion(definition),
    ...chosen,
  }
}

/** Where the agent is and which version it says it is; a plan needs both. */
async function findInstalled(
  definition: AgentDefinition,
  own: Own,
): Promise<{ binary: string; version: string }> {
  const { name, install, version } = definition
  const binary = findBinary(definition.binary, own.PATH ?? '')
  if (binary === null)
    throw subjectError(
      `${name} is not installed (no ${definition.binary} in PATH): ${install.hint}`,
      '--subject',
    )
  const found = await readAgentVersion(definition, binary, own)
  if (found !== null) return { binary, version: found }
  throw subjectError(
    `${name} does not say which version it is ("${definition.binary} ${version.args.join(' ')}"), and a plan needs one: ${install.hint}`,
    '--subject',
  )
}
