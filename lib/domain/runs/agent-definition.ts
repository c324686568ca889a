import { z } from 'zod'
import { relativePathSchema } from '../record/index.ts'
import { modelNamesSchema } from './model-names.ts'

/** The four wire protocols that coding agents use; each is passed through without translation. */
export const PROTOCOLS = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const

const protocolSchema = z.enum(PROTOCOLS)
export type Protocol = z.infer<typeof protocolSchema>

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected at most 40 lower-case letters, digits and dashes')
const variable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'expected the name of an environment variable')
const template = z.string().max(4000)

/** Provider of scripted responses: it needs no key, and its results have mode mock. */
export const SCRIPTED = 'scripted'

/** One element of argv: text with placeholders, or text in which each value is escaped for a TOML string. */
const elementSchema = z.union([template, z.strictObject({ toml: template })])
export type ArgvElement = z.infer<typeof elementSchema>

/** A file to write below HOME before the agent starts. */
const fileSchema = z.discriminatedUnion('format', [
  z.strictObject({ path: relativePathSchema, format: z.literal('json'), content: z.json() }),
  z.strictObject({ path: relativePathSchema, format: z.literal('toml'), content: template }),
])
export type FileTemplate = z.infer<typeof fileSchema>

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const exactVersion = z.string().regex(EXACT_VERSION, 'expected an exact version such as 1.2.3')

/** Configuration of an agent; a protocol's additions follow the common part. */
const setupFields = {
  env: z.record(variable, template).default({}),
  files: z.array(fileSchema).default([]),
  /** Commands to run first, in order, in the same environment. */
  before: z.array(z.array(elementSchema).min(1)).default([]),
}

const protocolSetupSchema = z.strictObject({
  ...setupFields,
  /** Replaces the definition's own `argv`. */
  argv: z.array(elementSchema).min(1).optional(),
})

const providerSchema = z.strictObject({
  /** Null for an agent that only connects to its vendor. */
  protocol: protocolSchema.nullable(),
  /** Key variables of the server, any of which is enough; only for providers that Proofboard does not know. */
  keys: z.array(variable).min(1).optional(),
  keysFrom: z.url().optional(),
  /** Short names, mapped to the provider's names. */
  models: z.record(z.string(), z.string()).default({}),
})

/** Options that set `--effort`; `\${effort}` is the agent's name of the level. */
const effortSchema = z.strictObject({
  /** Supported levels, mapped to the agent's own names. */
  levels: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,19}$/), z.string().min(1)),
  /** Inserted before the other options, after a subcommand. */
  argv: z.array(elementSchema).default([]),
  env: z.record(variable, template).default({}),
  /** Merged into the JSON file of the same path, or prepended to the TOML file of the same path. */
  files: z.array(fileSchema).default([]),
})

/** A secret from the saved login: a member of a JSON file below the agent's HOME, as a dotted path. */
const secretSchema = z.strictObject({
  file: relativePathSchema,
  member: z.string().min(1),
  /** The prefix in a header: `Bearer `. */
  before: z.string().default(''),
})
export type LoginSecret = z.infer<typeof secretSchema>

/** The agent's documented configuration of MCP servers. */
const mcpSchema = z.strictObject({
  docs: z.url(),
  /** A JSON file below HOME whose `member` holds the servers by name; merged into a file of the same path. */
  file: z
    .strictObject({
      path: relativePathSchema,
      member: z.string().min(1).max(60),
      /** One server. A text `\${command}`, `\${args}`, `\${commandLine}` or `\${env}` is replaced by that value. */
      server: z.record(z.string(), z.json()),
    })
    .nullable()
    .default(null),
  /** Inserted before the other options, after a subcommand. */
  argv: z.array(template).default([]),
  /** Repeated for each server, with `\${server}` and the TOML values `\${command}`, `\${args}`, `\${envNames}`. */
  argvOfEach: z.array(template).default([]),
  /** True if the agent passes its own environment on to the servers. */
  envFromAgent: z.boolean().default(false),
})

/** Login to the vendor's subscription with the agent's own program, and its use in a run. */
const loginSchema = z.strictObject({
  /** Display name of the subscription: `Claude Pro or Max`. */
  title: z.string().min(1).max(80),
  /** Arguments of the agent's login command, started with the terminal in an otherwise empty HOME. */
  argv: z.array(z.string()),
  env: z.record(variable, z.string()).default({}),
  /** Files below HOME that the login creates and a run needs; the first must exist after the login. */
  keeps: z.array(relativePathSchema).min(1),
  /** The provider that the plan names. */
  provider: name,
  /** The gateway sends the login to the provider; null = the agent gets the files, and its calls are not metered. */
  gateway: z
    .strictObject({
      protocol: protocolSchema,
      baseUrl: z.url(),
      headers: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), secretSchema),
      /** Expiry, in milliseconds since the epoch. */
      expires: secretSchema.nullable().default(null),
    })
    .nullable(),
  /** Replaces the setup of the protocol. */
  setup: protocolSetupSchema,
})

/** Usage in the agent's own output, only compared with the gateway's count. */
const usageReportSchema = z.strictObject({
  /** Objects with this `type` are read; members are dotted paths. */
  type: z.string(),
  input: z.string().nullable().default(null),
  output: z.string().nullable().default(null),
  costUsd: z.string().nullable().default(null),
  /** Sum all such objects instead of using the last one. */
  sum: z.boolean().default(false),
})
export type UsageReport = z.infer<typeof usageReportSchema>

/** Validates each field; `findDefinitionMistakes` checks combinations of fields. */
export const agentDefinitionSchema = z.strictObject({
  schemaVersion: z.literal(1),
  name,
  title: z.string().min(1).max(80),
  homepage: z.url(),
  /** `measured`: this argv, environment and these files were run against a scripted model. */
  verified: z.enum(['measured', 'documented']),
  binary: z
    .string()
    .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'expected the name or the absolute path of a program'),
  install: z.strictObject({
    npm: z.string().optional(),
    tested: z.string().nullable(),
    /**
     * Version of Node that starts its program, from npm's package `node`; absent = the version that runs Proofboard.
     */
    node: exactVersion.optional(),
    hint: z.string().min(1).max(300),
  }),
  version: z.strictObject({
    args: z.array(z.string()).min(1),
    /** A regular expression whose first group is the version. */
    pattern: z.string().refine(hasOneGroup, 'expected a regular expression with one group'),
    /** Version that the tested package prints, if it differs from the package's version. */
    prints: z.string().optional(),
    /** The oldest version that supports these options, and the first that does not; others are refused. */
    from: exactVersion.optional(),
    below: exactVersion.optional(),
  }),
  /** Requirements of the machine, for people: for example, a Node version. */
  needs: z.string().nullable().default(null),
  notes: z.array(z.string()).default([]),
  exitCodes: z.string(),
  metering: z.union([z.literal('gateway'), z.strictObject({ none: z.string().min(1) })]),
  prompt: z.enum(['argument', 'stdin', 'file']),
  argv: z.array(elementSchema).min(1),
  ...setupFields,
  protocols: z.partialRecord(protocolSchema, protocolSetupSchema).default({}),
  /** The protocol used with a provider that offers several. */
  preferred: protocolSchema.nullable(),
  /** Tried in this order when none is named. */
  providers: z.record(name, providerSchema),
  ...modelNamesSchema.shape,
  usageReport: usageReportSchema.nullable().default(null),
  // Optional and not null: a definition without them keeps its digest.
  effort: effortSchema.optional(),
  login: loginSchema.optional(),
  /** Absent = support for MCP servers is unknown. */
  mcp: mcpSchema.optional(),
  /** Folder of the workspace in which it looks for skills, each in its own folder; absent = no known support. */
  skills: relativePathSchema.optional(),
  /** Files it leaves in the workspace that are not part of a solution; folders end in a slash. */
  droppings: z.array(z.string().regex(/^[^/].*$/)).default([]),
  isolation: z.strictObject({
    /** Hosts it contacts besides its model, observed or documented; an isolated run cannot reach them. */
    network: z.array(z.string()).default([]),
    note: z.string().nullable().default(null),
  }),
})
/** Definition of one command-line agent: how to install, start and configure it, and read its output. */
export type AgentDefinition = z.infer<typeof agentDefinitionSchema>
export type AgentLogin = z.infer<typeof loginSchema>

function hasOneGroup(pattern: string): boolean {
  try {
    return new RegExp(`${pattern}|`).exec('')?.length === 2
  } catch {
    return false
  }
}
