import { z } from 'zod'
import { asPlaceholder, fillTemplate } from '../../placeholders.ts'

/** Increment when a file with the same content is started or used differently. */
export const MCP_ADAPTER_VERSION = 1

const MAX_WORDS = 60
const variable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'expected the name of an environment variable')
const template = z.string().max(4000)
const program = z
  .string()
  .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'expected the name or the absolute path of a program')
const pattern = z.string().max(1000)

/** A tool of the server and its arguments; text values are templates, other values are passed unchanged. */
const actionSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  args: z.record(z.string(), z.json()).default({}),
})
export type McpAction = z.infer<typeof actionSchema>

/** Maps a script's actions to tool calls. Only needed for scripted runs: a model gets the server's own tools. */
const actionsSchema = z.strictObject({
  open: actionSchema,
  click: actionSchema,
  fill: actionSchema,
  select: actionSchema,
  /** A tool that runs JavaScript in the page and returns its result as text, with any text around it. */
  evaluate: actionSchema,
  press: actionSchema.optional(),
  upload: actionSchema.optional(),
  drag: actionSchema.optional(),
  newPage: actionSchema.optional(),
  /** Answers an open dialog. */
  dialog: actionSchema.optional(),
  /** The page as the server shows it; `entry` matches the groups `ref`, `role` and `name` in one line of it. */
  snapshot: actionSchema.extend({ entry: pattern }).optional(),
})
export type McpActions = z.infer<typeof actionsSchema>

/** An MCP server as a browser subject, in a YAML file. `${…}` in args, env and actions are placeholders. */
export const mcpDefinitionSchema = z.strictObject({
  schemaVersion: z.literal(1),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected at most 40 lower-case letters, digits and dashes'),
  title: z.string().min(1).max(80),
  homepage: z.url().optional(),
  /** An npm package in this clone's node_modules: `${package}` is its folder, its version is the subject's. */
  package: z
    .string()
    .regex(/^(@[a-z0-9._-]+\/)?[a-z0-9._-]+$/, 'expected the name of an npm package')
    .optional(),
  /** The program that runs MCP on stdin and stdout, without a shell. */
  command: program,
  args: z.array(template).max(MAX_WORDS).default([]),
  env: z.record(variable, template).default({}),
  /** Variables of this machine that are passed to the server unchanged; it gets no others. */
  passEnv: z.array(variable).max(MAX_WORDS).default([]),
  /** Files and folders that it has to read besides its command inside a sandbox. */
  reads: z.array(z.string().startsWith('/')).max(MAX_WORDS).default([]),
  /** A command that prints the version, and its position in the output. */
  version: z
    .strictObject({ command: z.array(z.string()).min(1).max(MAX_WORDS), pattern })
    .optional(),
  actions: actionsSchema.optional(),
})
export type McpDefinition = z.infer<typeof mcpDefinitionSchema>

/** Placeholders of args and env. */
export const SERVER_PLACEHOLDERS = [
  'endpoint',
  'port',
  'wsEndpoint',
  'folder',
  'home',
  'timeoutMs',
  'package',
] as const
/** Placeholders of an action's arguments. */
export const ACTION_PLACEHOLDERS = [
  'url',
  'css',
  'toCss',
  'ref',
  'toRef',
  'role',
  'name',
  'text',
  'option',
  'key',
  'files',
  'script',
]

const FILES = asPlaceholder('files')

/** Fills every text of an action's arguments; an argument that is `${files}` alone becomes the list of them. */
export function fillArgs(
  { args }: McpAction,
  values: Readonly<Record<string, string>>,
  files: readonly string[] = [],
): Record<string, unknown> {
  const fill = (value: unknown): unknown => {
    if (value === FILES) return files
    if (typeof value === 'string') return fillTemplate(value, values)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item)]))
  }
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(value)]))
}
