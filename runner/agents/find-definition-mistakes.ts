import type { AgentDefinition, ArgvElement } from './agent-definition.ts'
import { isSharedKey } from './providers.ts'
import { listPlaceholders, listTexts, PLACEHOLDERS } from './template.ts'

export type Mistake = { path: (string | number)[]; message: string }

// The harness sets these itself, from its own allow-list.
const RESERVED = /^(PATH|HOME|TMPDIR|LD_.*|NODE_OPTIONS|PROOFBOARD_.*)$/

/** What a schema of single fields cannot see: placeholders nobody knows, a prompt that is never handed over, secrets. */
export function findDefinitionMistakes(definition: AgentDefinition): Mistake[] {
  return [
    ...unknownPlaceholders(definition),
    ...reservedVariables(definition),
    ...promptMistakes(definition),
    ...providerMistakes(definition),
    ...meteringMistakes(definition),
  ]
}

function unknownPlaceholders(definition: AgentDefinition): Mistake[] {
  const { argv, env, files, before, protocols } = definition
  return Object.entries({ argv, env, files, before, protocols }).flatMap(([field, value]) =>
    listTexts(value)
      .flatMap(listPlaceholders)
      .filter((name) => !(PLACEHOLDERS as readonly string[]).includes(name))
      .map((name) => ({
        path: [field],
        message: `knows no \${${name}}: choose from ${PLACEHOLDERS.join(', ')}`,
      })),
  )
}

function reservedVariables(definition: AgentDefinition): Mistake[] {
  const setups: [(string | number)[], Record<string, string>][] = [
    [['env'], definition.env],
    ...Object.entries(definition.protocols).map(
      ([protocol, setup]): [(string | number)[], Record<string, string>] => [
        ['protocols', protocol, 'env'],
        setup.env,
      ],
    ),
  ]
  return setups.flatMap(([path, env]) =>
    Object.keys(env)
      .filter((variable) => RESERVED.test(variable))
      .map((variable) => ({ path: [...path, variable], message: 'is set by the harness only' })),
  )
}

function promptMistakes(definition: AgentDefinition): Mistake[] {
  const { prompt, argv, protocols } = definition
  const lines: [(string | number)[], readonly ArgvElement[]][] = [
    [['argv'], argv],
    ...Object.entries(protocols).flatMap(
      ([protocol, setup]): [(string | number)[], readonly ArgvElement[]][] =>
        setup.argv ? [[['protocols', protocol, 'argv'], setup.argv]] : [],
    ),
  ]
  return lines.flatMap(([path, elements]) => {
    const whole = elements.filter((element) => element === `\${prompt}`).length
    const texts = listTexts(elements)
    const asFile = texts.some((text) => text.includes(`\${promptFile}`))
    const asPart = texts.filter((text) => text.includes(`\${prompt}`)).length !== whole
    if (asPart) return [{ path, message: `\${prompt} has to be an element of its own` }]
    if (prompt === 'argument' && whole !== 1)
      return [{ path, message: `prompt: argument needs exactly one element \${prompt}` }]
    if (prompt !== 'argument' && whole > 0)
      return [{ path, message: `prompt: ${prompt} goes without an element \${prompt}` }]
    if (prompt === 'file' && !asFile)
      return [{ path, message: `prompt: file needs an element with \${promptFile}` }]
    return []
  })
}

function providerMistakes({
  providers,
  protocols,
  preferred,
  metering,
}: AgentDefinition): Mistake[] {
  const mistakes: Mistake[] = []
  if (Object.keys(providers).length === 0)
    mistakes.push({ path: ['providers'], message: 'needs at least one provider' })
  for (const [provider, { protocol }] of Object.entries(providers)) {
    if (metering === 'gateway' && (protocol === null || !protocols[protocol]))
      mistakes.push({
        path: ['providers', provider, 'protocol'],
        message: `has to be one of ${Object.keys(protocols).join(', ') || 'the protocols, and there is none'}`,
      })
  }
  if (metering === 'gateway' && (preferred === null || !protocols[preferred]))
    mistakes.push({ path: ['preferred'], message: 'has to be one of the protocols' })
  return mistakes
}

/** An agent that nobody meters is handed a real key: it may only be one of its own vendor. */
function meteringMistakes({ metering, providers, argv, env, files }: AgentDefinition): Mistake[] {
  if (metering === 'gateway') return []
  const mistakes = Object.entries(providers).flatMap(([provider, { keys }]) =>
    (keys ?? []).filter(isSharedKey).map((key) => ({
      path: ['providers', provider, 'keys'],
      message: `${key} opens a model provider: an unmetered agent may only be given a key of its own vendor`,
    })),
  )
  const pointed = listTexts({ argv, env, files }).some((text) => text.includes(`\${baseUrl}`))
  if (pointed)
    mistakes.push({
      path: ['metering'],
      message: `is none, so there is no \${baseUrl} to point at`,
    })
  return mistakes
}
