import { present } from '#lib/domain/text/index.ts'
import { asPlaceholder, listPlaceholders } from '../../placeholders.ts'
import { parseYaml, readTextFile, type YamlMistake } from '../../read-yaml.ts'
import { isSharedKey } from '../../subjects/agents/providers.ts'
import {
  ACTION_PLACEHOLDERS,
  type McpActions,
  type McpDefinition,
  mcpDefinitionSchema,
  SERVER_PLACEHOLDERS,
} from './mcp-definition.ts'

/** Reads an MCP server's file. Throws a one-sentence RunnerError. */
export function readLibraryFile(path: string): McpDefinition {
  return parseMcpDefinition(readTextFile(path, 'library'), path)
}

/** Parses a definition; `file` is its name in error messages. */
export function parseMcpDefinition(text: string, file: string): McpDefinition {
  const kind = { noun: 'library', whole: 'the library', schema: mcpDefinitionSchema, findMistakes }
  return parseYaml(text, file, kind)
}

// The harness sets these itself, from its own allow-list.
const RESERVED = /^(PATH|HOME|TMPDIR|XDG_.*|LD_.*|DYLD_.*|NODE_OPTIONS|PROOFBOARD_.*)$/
/** Programs that download what they start; a library has no network. */
const DOWNLOADS = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'uvx', 'pipx', 'uv'])
const BROWSER = ['endpoint', 'wsEndpoint', 'port']
const GROUPS = ['ref', 'role', 'name']

function findMistakes(definition: McpDefinition): YamlMistake[] {
  return [
    ...commandMistakes(definition),
    ...environmentMistakes(definition),
    ...placeholderMistakes(definition),
    ...patternMistakes(definition),
  ]
}

function commandMistakes({
  command,
  package: name,
  version,
  args,
  env,
}: McpDefinition): YamlMistake[] {
  const mistakes: YamlMistake[] = []
  const add = (field: string, message: string) => mistakes.push({ path: [field], message })
  if (DOWNLOADS.has(command))
    add(
      'command',
      `${command} would download the server at each start: install it and name its program`,
    )
  if (name === undefined && version === undefined)
    add(
      'version',
      'is missing: a plan pins the exact version, so name a package or a version command',
    )
  const named = listPlaceholders([args, env])
  if (!BROWSER.some((one) => named.includes(one)))
    add(
      'args',
      `name no browser: write one of ${BROWSER.map(asPlaceholder).join(', ')} in args or env`,
    )
  if (name === undefined && named.includes('package'))
    add('package', 'is missing, and args or env name it')
  return mistakes
}

function environmentMistakes({ env, passEnv }: McpDefinition): YamlMistake[] {
  const reserved = (path: (string | number)[], name: string) =>
    RESERVED.test(name) ? [{ path, message: 'is set by the harness only' }] : []
  const key = (path: (string | number)[], name: string) =>
    isSharedKey(name)
      ? [{ path, message: `${name} is the key of a model provider, which stays with the gateway` }]
      : []
  return [
    ...Object.keys(env).flatMap((name) => reserved(['env', name], name)),
    ...passEnv.flatMap((name, index) => [
      ...reserved(['passEnv', index], name),
      ...key(['passEnv', index], name),
    ]),
  ]
}

function placeholderMistakes(definition: McpDefinition): YamlMistake[] {
  const { args, env } = definition
  const actions = definition.actions ?? null
  const check = (path: string, value: unknown, known: readonly string[]) =>
    listPlaceholders(value)
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path: [path],
        message: `unknown placeholder ${asPlaceholder(name)}: choose from ${known.join(', ')}`,
      }))
  return [
    ...check('args', args, SERVER_PLACEHOLDERS),
    ...check('env', env, SERVER_PLACEHOLDERS),
    ...check('actions', actions, ACTION_PLACEHOLDERS),
    ...needsScript(actions),
    ...needsSnapshot(actions),
  ]
}

function needsScript(actions: McpActions | null): YamlMistake[] {
  if (actions === null || listPlaceholders(actions.evaluate).includes('script')) return []
  return [
    { path: ['actions', 'evaluate'], message: `takes the script as ${asPlaceholder('script')}` },
  ]
}

function needsSnapshot(actions: McpActions | null): YamlMistake[] {
  const named = listPlaceholders(actions)
  if (actions?.snapshot || !(named.includes('ref') || named.includes('toRef'))) return []
  return [
    { path: ['actions'], message: `${asPlaceholder('ref')} needs a snapshot that it is found in` },
  ]
}

function patternMistakes({ version, actions }: McpDefinition): YamlMistake[] {
  const entry = actions?.snapshot?.entry
  return present([
    version &&
      groupsOf(version.pattern)?.length !== 1 && {
        path: ['version', 'pattern'],
        message: 'expected a regular expression with one group',
      },
    entry !== undefined &&
      !GROUPS.every((name) => groupsOf(entry)?.includes(name)) && {
        path: ['actions', 'snapshot', 'entry'],
        message: `expected a regular expression with the groups ${GROUPS.join(', ')}`,
      },
  ])
}

/** Lists the groups of a pattern, by name or number; null = not a regular expression. */
function groupsOf(text: string): string[] | null {
  try {
    const found = new RegExp(`${text}|`).exec('')
    return (
      found && [
        ...Object.keys(found.groups ?? {}),
        ...(found.groups ? [] : Object.keys([...found].slice(1))),
      ]
    )
  } catch {
    return null
  }
}
