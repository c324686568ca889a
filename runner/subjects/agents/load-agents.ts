import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { unknownName } from '#lib/domain/record/index.ts'
import {
  type AgentDefinition,
  type ArgvElement,
  agentDefinitionSchema,
} from '#lib/domain/runs/index.ts'
import { isRunnerError, subjectError } from '../../runner-error.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { listPlaceholders, listTexts, PLACEHOLDERS } from './agent-definition.ts'
import { isSharedKey } from './providers.ts'

/** The definitions that come with Proofboard, read on demand: the bundled command line is in another folder. */
const BUILT_IN = join(PROJECT_ROOT, 'runner', 'subjects', 'agents')

/** Names of the agents that come with Proofboard, ascending. */
export function listAgentNames(): string[] {
  return readdirSync(BUILT_IN)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort()
}

/** A built-in definition; null when there is none of that name. Throws when ours is broken: that is our bug. */
export function findAgent(name: string): AgentDefinition | null {
  if (!listAgentNames().includes(name)) return null
  return readAgentFile(join(BUILT_IN, `${name}.yaml`))
}

/** Every built-in definition, by name. */
export function loadAgents(): AgentDefinition[] {
  return listAgentNames().map((name) => readAgentFile(join(BUILT_IN, `${name}.yaml`)))
}

/** A definition from the user's own file. Throws a RunnerError, in one sentence. */
export function readAgentFile(path: string): AgentDefinition {
  let text: string
  try {
    // A device would never end.
    if (!statSync(path).isFile()) throw subjectError(`the agent file ${path} is not a file`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isRunnerError(error, 'subject')) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw subjectError(`cannot read the agent file ${path}: ${code}`)
  }
  return parseAgent(text, path)
}

/** The definition to use: from the caller's own file, whose name has to fit, else a built-in one. */
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

const MOST_CHARS = 256 << 10

/** Reads one agent's YAML; `file` is what the sentence of an error calls it. */
export function parseAgent(text: string, file: string): AgentDefinition {
  if (text.length > MOST_CHARS) throw subjectError(`${file} is longer than an agent can be`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken) {
    const { line } = lines.linePos(broken.pos[0])
    throw subjectError(`${file} line ${line} is not valid YAML: ${firstLine(broken.message)}`)
  }
  const parsed = agentDefinitionSchema.safeParse(toValue(document, file))
  const mistakes: Told[] = parsed.success
    ? findDefinitionMistakes(parsed.data)
    : parsed.error.issues.map(toMistake)
  if (parsed.success && mistakes.length === 0) return parsed.data
  // A misspelt name shows as one that is unknown and one that is missing: the first says more.
  const first = mistakes.find(({ unknown }) => unknown !== undefined) ?? mistakes[0]
  throw subjectError(describeMistake(first, { document, lines, file }, mistakes.length - 1))
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw subjectError(`${file} cannot be read: ${firstLine((error as Error).message)}`)
  }
}

type Told = Mistake & { unknown?: string | undefined }
type Source = { document: Document; lines: LineCounter; file: string }

function toMistake(issue: z.core.$ZodIssue): Told {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const missing = /received undefined$/.test(issue.message)
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  return { path, message: missing ? 'is missing' : issue.message, unknown }
}

function describeMistake(
  mistake: Told | undefined,
  { document, lines, file }: Source,
  more: number,
): string {
  if (!mistake) return `${file} is no agent definition`
  const { path, message, unknown } = mistake
  const offset = findOffset(document, unknown === undefined ? path : [...path, unknown])
  const place = offset === null ? file : `${file} line ${lines.linePos(offset).line}`
  const rest = more > 0 ? ` (and ${more} more)` : ''
  return `${place}: ${path.join('.') || 'the agent'}: ${message}${rest}`
}

/** Where the deepest part of the path stands that the document really has. */
function findOffset(document: Document, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetIn(document.getIn(path.slice(0, depth - 1), true), path[depth - 1])
    if (offset !== null) return offset
  }
  return null
}

function offsetIn(parent: unknown, name: string | number | undefined): number | null {
  const node = isMap(parent)
    ? parent.items.find(({ key }) => String(key) === String(name))?.key
    : isSeq(parent)
      ? parent.items[Number(name)]
      : null
  return isNode(node) && node.range ? node.range[0] : null
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[.:]$/, '')
}

type Mistake = { path: (string | number)[]; message: string }

// The harness sets these itself, from its own allow-list.
const RESERVED = /^(PATH|HOME|TMPDIR|LD_.*|NODE_OPTIONS|PROOFBOARD_.*)$/

/** Checks that a schema of single fields cannot make: unknown placeholders, a prompt that is never used, secrets. */
function findDefinitionMistakes(definition: AgentDefinition): Mistake[] {
  return [
    ...unknownPlaceholders(definition),
    ...reservedVariables(definition),
    ...promptMistakes(definition),
    ...providerMistakes(definition),
    ...meteringMistakes(definition),
    ...loginMistakes(definition),
  ]
}

function unknownPlaceholders(definition: AgentDefinition): Mistake[] {
  const { argv, env, files, before, protocols, effort, login } = definition
  const fields = { argv, env, files, before, protocols, effort, login: login?.setup }
  return Object.entries(fields).flatMap(([field, value]) => {
    // Where no effort is asked for, its place would be empty.
    const known = PLACEHOLDERS.filter((name) => name !== 'effort' || field === 'effort')
    return listTexts(value)
      .flatMap(listPlaceholders)
      .filter((name) => !(known as readonly string[]).includes(name))
      .map((name) => ({
        path: [field],
        message: `knows no \${${name}}: choose from ${known.join(', ')}`,
      }))
  })
}

function reservedVariables(definition: AgentDefinition): Mistake[] {
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

/** What the gateway shows to the provider has to be among what is kept. */
function loginMistakes({ login }: AgentDefinition): Mistake[] {
  if (!login?.gateway) return []
  const { headers, expires } = login.gateway
  return [...Object.values(headers), ...(expires ? [expires] : [])]
    .filter(({ file }) => !login.keeps.includes(file))
    .map(({ file }) => ({
      path: ['login', 'gateway'],
      message: `${file} is not kept: add it to keeps`,
    }))
}

function promptMistakes(definition: AgentDefinition): Mistake[] {
  const { prompt, argv, protocols, login } = definition
  const lines: [(string | number)[], readonly ArgvElement[]][] = [
    [['argv'], argv],
    ...(login?.setup.argv
      ? [[['login', 'setup', 'argv'], login.setup.argv] as [string[], ArgvElement[]]]
      : []),
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

/** An unmetered agent gets a real key: it may only be one of its own vendor. */
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
