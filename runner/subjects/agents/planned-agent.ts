import { type Plan, providerName, type Subject } from '#lib/domain/record/index.ts'
import { type AgentDefinition, SCRIPTED } from '#lib/domain/runs/index.ts'
import {
  type GatewayClient,
  type ModelAccess,
  openAttemptGateway,
} from '../../gateway/attempt-gateway.ts'
import {
  type KnownProviders,
  knownProviders,
  type Provider,
} from '../../providers/known-providers.ts'
import { resolveEndpoint, toUpstream } from '../../providers/resolve-endpoint.ts'
import { subjectError } from '../../runner-error.ts'
import { concealKeys } from '../../sandbox/process/own-env.ts'
import type { SubjectContext, SubjectDriver } from '../subject-driver.ts'
import { adapterVersion } from './agent-definition.ts'
import { agentDriver } from './agent-driver.ts'
import { readAgentVersion } from './agent-program.ts'
import { findBinary } from './find-binary.ts'
import {
  chooseModel,
  findProvider,
  type ModelSource,
  modeOf,
  refuseProvider,
  type Served,
  type ServingProvider,
} from './providers.ts'

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
  if (subject.provider === null || subject.modelRequested === null)
    throw subjectError(`the plan names no provider and model of ${name}: freeze a new plan`)
  const provider = plannedProvider(definition, subject.provider, access)
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
  const client = { ...access, ...gatewayAccess(provider, subject.provider, { key, source, own }) }
  const { protocol } = provider
  const openGateway =
    definition.metering === 'gateway' && protocol !== null
      ? (attempt: SubjectContext) =>
          openAttemptGateway(
            { ...client, subject, provider: { name: subject.provider ?? '', protocol }, key },
            attempt,
          )
      : null
  return agentDriver({ definition, subject, provider, key, openGateway, mode, ...installed, own })
}

/** The provider that a plan names, as it is known here. Throws a RunnerError. */
export function plannedProvider(
  served: Served,
  planned: string,
  { providers = knownProviders(null) }: Pick<ModelAccess, 'providers'>,
): ServingProvider {
  const found = findProvider(served, providerName(planned), providers)
  if (found) return found
  throw subjectError(
    `the plan names the provider "${planned}": ${refuseProvider(served, providerName(planned), providers)}`,
    '--provider',
  )
}

/**
 * What a gateway has to know to ask this provider, and what its answers cost. Nobody is asked where a script or a
 * recording answers. Throws a RunnerError when the provider's address is not the one that the plan was frozen with.
 */
export function gatewayAccess(
  provider: ServingProvider,
  planned: string,
  { key, source, own }: { key: string | null; source: ModelSource; own: Own },
): Pick<GatewayClient, 'upstream' | 'rates'> {
  const { protocol, rates } = provider
  if (source.kind !== 'provider' || protocol === null) return { upstream: null, rates }
  const resolved = resolveEndpoint(provider, protocol, own)
  if (resolved.identity !== planned)
    throw subjectError(
      `the plan was frozen for ${planned}, and ${provider.name} is ${resolved.identity} here: freeze a new plan, or set the address as it was`,
      '--provider',
    )
  return { upstream: toUpstream(resolved, key), rates }
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
  if (!provider.needsKey) return null
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
  known: KnownProviders,
  own: Own,
): Promise<Subject> {
  const chosen = chooseModel(definition, asked, known, own)
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
