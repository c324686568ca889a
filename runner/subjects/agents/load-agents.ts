import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AgentDefinition,
  type ArgvElement,
  agentDefinitionSchema,
} from '#lib/domain/runs/index.ts'
import { present, unknownName } from '#lib/domain/text/index.ts'
import { listPlaceholders } from '../../placeholders.ts'
import { addressMistake } from '../../providers/address.ts'
import { parseYaml, readTextFile, type YamlMistake } from '../../read-yaml.ts'
import { subjectError } from '../../runner-error.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { listTexts, PLACEHOLDERS } from './agent-definition.ts'
import { isSharedKey } from './providers.ts'

/** The shipped definitions, read on demand: the bundled command line is in another folder. */
const BUILT_IN = join(PROJECT_ROOT, 'runner', 'subjects', 'agents')

/** Lists the names of the shipped agents, ascending. */
export function listAgentNames(): string[] {
  return readdirSync(BUILT_IN)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort()
}

/** Returns a built-in definition; null if there is none of that name. Throws if it is invalid, which is a bug. */
export function findAgent(name: string): AgentDefinition | null {
  if (!listAgentNames().includes(name)) return null
  return readAgentFile(join(BUILT_IN, `${name}.yaml`))
}

/** Every built-in definition, by name. */
export function loadAgents(): AgentDefinition[] {
  return listAgentNames().map((name) => readAgentFile(join(BUILT_IN, `${name}.yaml`)))
}

/** Reads a definition from the user's own file. Throws a one-sentence RunnerError. */
export function readAgentFile(path: string): AgentDefinition {
  return parseAgent(readTextFile(path, 'agent'), path)
}

/** Returns the definition from the caller's own file, whose name has to match, else a built-in one. */
export function pickAgent(name: string, file: string | null): AgentDefinition {
  if (file === null) {
    const found = findAgent(name)
    if (found) return found
    throw subjectError(unknownName('agent', name, listAgentNames()))
  }
  const definition = readAgentFile(file)
  if (definition.name === name) return definition
  throw subjectError(
    `${file} defines the agent "${definition.name}", not "${name}": write --subject ${definition.name}`,
  )
}

/** Parses one agent's YAML; `file` is its name in error messages. */
export function parseAgent(text: string, file: string): AgentDefinition {
  return parseYaml(text, file, {
    noun: 'agent',
    whole: 'the agent',
    schema: agentDefinitionSchema,
    findMistakes: findDefinitionMistakes,
  })
}

// The harness sets these itself, from its own allow-list.
const RESERVED = /^(PATH|HOME|TMPDIR|LD_.*|NODE_OPTIONS|PROOFBOARD_.*)$/

/** Checks what a schema of single fields cannot: unknown placeholders, an unused prompt, secrets. */
function findDefinitionMistakes(definition: AgentDefinition): YamlMistake[] {
  return [
    ...unknownPlaceholders(definition),
    ...reservedVariables(definition),
    ...promptMistakes(definition),
    ...providerMistakes(definition),
    ...meteringMistakes(definition),
    ...loginMistakes(definition),
  ]
}

function unknownPlaceholders(definition: AgentDefinition): YamlMistake[] {
  const { argv, env, files, before, protocols, effort, login } = definition
  const fields = { argv, env, files, before, protocols, effort, login: login?.setup }
  return Object.entries(fields).flatMap(([field, value]) => {
    // Without an effort setting, the placeholder would be empty.
    const known = PLACEHOLDERS.filter((name) => name !== 'effort' || field === 'effort')
    return listTexts(value)
      .flatMap(listPlaceholders)
      .filter((name) => !(known as readonly string[]).includes(name))
      .map((name) => ({
        path: [field],
        message: `unknown placeholder \${${name}}: choose from ${known.join(', ')}`,
      }))
  })
}

function reservedVariables(definition: AgentDefinition): YamlMistake[] {
  const { effort, login } = definition
  const setups: [(string | number)[], Record<string, string>][] = [
    [['env'], definition.env],
    [['effort', 'env'], effort?.env ?? {}],
    [['login', 'setup', 'env'], login?.setup.env ?? {}],
    [['login', 'env'], login?.env ?? {}],
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

/** The files that the gateway uses for the provider must be among the saved ones. */
function loginMistakes({ login }: AgentDefinition): YamlMistake[] {
  if (!login?.gateway) return []
  const { headers, expires, baseUrl } = login.gateway
  const mistake = addressMistake(baseUrl)
  const unkept = [...Object.values(headers), ...(expires ? [expires] : [])]
    .filter(({ file }) => !login.keeps.includes(file))
    .map(({ file }) => ({
      path: ['login', 'gateway'],
      message: `${file} is not saved: add it to keeps`,
    }))
  return mistake === null
    ? unkept
    : [{ path: ['login', 'gateway', 'baseUrl'], message: mistake }, ...unkept]
}

function promptMistakes(definition: AgentDefinition): YamlMistake[] {
  const { prompt, argv, protocols, login } = definition
  const lines: [(string | number)[], readonly ArgvElement[]][] = present([
    [['argv'], argv],
    login?.setup.argv &&
      ([['login', 'setup', 'argv'], login.setup.argv] as [string[], ArgvElement[]]),
    ...Object.entries(protocols).flatMap(
      ([protocol, setup]): [(string | number)[], readonly ArgvElement[]][] =>
        setup.argv ? [[['protocols', protocol, 'argv'], setup.argv]] : [],
    ),
  ])
  return lines.flatMap(([path, elements]) => {
    const whole = elements.filter((element) => element === `\${prompt}`).length
    const texts = listTexts(elements)
    const asFile = texts.some((text) => text.includes(`\${promptFile}`))
    const asPart = texts.filter((text) => text.includes(`\${prompt}`)).length !== whole
    if (asPart) return [{ path, message: `\${prompt} must be a separate element` }]
    if (prompt === 'argument' && whole !== 1)
      return [{ path, message: `prompt: argument needs exactly one element \${prompt}` }]
    if (prompt !== 'argument' && whole > 0)
      return [{ path, message: `prompt: ${prompt} must not have an element \${prompt}` }]
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
}: AgentDefinition): YamlMistake[] {
  const mistakes: YamlMistake[] = []
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

/** An unmetered agent gets a real key, which must be one of its own vendor. */
function meteringMistakes({
  metering,
  providers,
  argv,
  env,
  files,
}: AgentDefinition): YamlMistake[] {
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
