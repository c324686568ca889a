import { z } from 'zod'
import { relativePathSchema } from '../record/index.ts'
import { modelNamesSchema } from './model-names.ts'
import { protocolSchema } from './protocols.ts'

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected at most 40 lower-case letters, digits and dashes')
const variable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'expected the name of an environment variable')
const template = z.string().max(4000)

/** The provider of scripted answers: it needs no key, and its results have mode mock. */
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

/** What it takes to point the agent somewhere; what a protocol adds goes after what all have in common. */
const setupFields = {
  env: z.record(variable, template).default({}),
  files: z.array(fileSchema).default([]),
  /** Commands to run first, in order, in the same surroundings. */
  before: z.array(z.array(elementSchema).min(1)).default([]),
}

const protocolSetupSchema = z.strictObject({
  ...setupFields,
  /** Instead of the definition's own `argv`. */
  argv: z.array(elementSchema).min(1).optional(),
})

const providerSchema = z.strictObject({
  /** Null for an agent that talks to its vendor only. */
  protocol: protocolSchema.nullable(),
  /** Key variables of the server, any one of them is enough; only for providers that Proofboard does not know. */
  keys: z.array(variable).min(1).optional(),
  keysFrom: z.url().optional(),
  /** Short names and what the provider calls them. */
  models: z.record(z.string(), z.string()).default({}),
})

/** Where `--effort` goes: `\${effort}` is what the agent calls the level. */
const effortSchema = z.strictObject({
  /** The levels one may ask for, and the agent's own word for each. */
  levels: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,19}$/), z.string().min(1)),
  /** Goes before the other options, after a subcommand. */
  argv: z.array(elementSchema).default([]),
  env: z.record(variable, template).default({}),
  /** Merged into the JSON file of the same path, put before the TOML file of the same path. */
  files: z.array(fileSchema).default([]),
})

/** A secret from the saved login: a member of a JSON file below its HOME, named by dots. */
const secretSchema = z.strictObject({
  file: relativePathSchema,
  member: z.string().min(1),
  /** The prefix in a header: `Bearer `. */
  before: z.string().default(''),
})
export type LoginSecret = z.infer<typeof secretSchema>

/** How its own configuration takes MCP servers, by its documentation. */
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
  /** Go before the other options, after a subcommand. */
  argv: z.array(template).default([]),
  /** The same for each server, with `\${server}` and the TOML values `\${command}`, `\${args}`, `\${envNames}`. */
  argvOfEach: z.array(template).default([]),
  /** It hands its own variables on to the servers. */
  envFromAgent: z.boolean().default(false),
})

/** How its own program logs in to its vendor's subscription, and how a run uses that login. */
const loginSchema = z.strictObject({
  /** What is paid for, for people: `Claude Pro or Max`. */
  title: z.string().min(1).max(80),
  /** Arguments of its own login command, started with the terminal in an otherwise empty HOME. */
  argv: z.array(z.string()),
  env: z.record(variable, z.string()).default({}),
  /** What the login leaves below HOME and a run needs; the first one has to be there once it is done. */
  keeps: z.array(relativePathSchema).min(1),
  /** The provider that the plan names. */
  provider: name,
  /** The gateway shows the login to the provider; null = the agent gets the files, and nothing meters it. */
  gateway: z
    .strictObject({
      protocol: protocolSchema,
      baseUrl: z.url(),
      headers: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), secretSchema),
      /** When it ends, in milliseconds of the epoch. */
      expires: secretSchema.nullable().default(null),
    })
    .nullable(),
  /** In place of the protocol's own. */
  setup: protocolSetupSchema,
})

/** Where the agent's own output says what it used: only to be compared with what the gateway counted. */
const usageReportSchema = z.strictObject({
  /** Objects with this `type` are read; members are named by dots. */
  type: z.string(),
  input: z.string().nullable().default(null),
  output: z.string().nullable().default(null),
  costUsd: z.string().nullable().default(null),
  /** Add up all such objects instead of taking the last. */
  sum: z.boolean().default(false),
})
export type UsageReport = z.infer<typeof usageReportSchema>

/** Field by field; what only shows when fields are seen together, `findDefinitionMistakes` finds. */
export const agentDefinitionSchema = z.strictObject({
  schemaVersion: z.literal(1),
  name,
  title: z.string().min(1).max(80),
  homepage: z.url(),
  /** `measured`: the very argv, environment and files below were run against a scripted model. */
  verified: z.enum(['measured', 'documented']),
  binary: z
    .string()
    .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'expected the name or the absolute path of a program'),
  install: z.strictObject({
    npm: z.string().optional(),
    tested: z.string().nullable(),
    /** The Node that its program is started with, from npm's package `node`; absent = the one that runs us. */
    node: exactVersion.optional(),
    hint: z.string().min(1).max(300),
  }),
  version: z.strictObject({
    args: z.array(z.string()).min(1),
    /** A regular expression whose first group is the version. */
    pattern: z.string().refine(hasOneGroup, 'expected a regular expression with one group'),
    /** What the tested version calls itself, where that is not the package's version. */
    prints: z.string().optional(),
    /** The oldest version that understands these options, and the first that does not; others are refused. */
    from: exactVersion.optional(),
    below: exactVersion.optional(),
  }),
  /** What it needs of the machine, for people: a Node version, say. */
  needs: z.string().nullable().default(null),
  notes: z.array(z.string()).default([]),
  exitCodes: z.string(),
  metering: z.union([z.literal('gateway'), z.strictObject({ none: z.string().min(1) })]),
  prompt: z.enum(['argument', 'stdin', 'file']),
  argv: z.array(elementSchema).min(1),
  ...setupFields,
  protocols: z.partialRecord(protocolSchema, protocolSetupSchema).default({}),
  /** The protocol it speaks to a provider that offers all of them. */
  preferred: protocolSchema.nullable(),
  /** In the order in which they are tried when none is named. */
  providers: z.record(name, providerSchema),
  ...modelNamesSchema.shape,
  usageReport: usageReportSchema.nullable().default(null),
  // Optional and not null: a definition without them keeps its digest.
  effort: effortSchema.optional(),
  login: loginSchema.optional(),
  /** Absent = it is not known how it takes MCP servers. */
  mcp: mcpSchema.optional(),
  /** The folder of the workspace in which it looks for skills, each in its own folder; absent = it is not known to. */
  skills: relativePathSchema.optional(),
  /** What it leaves in the workspace that is no work: files, or folders ending in a slash. */
  droppings: z.array(z.string().regex(/^[^/].*$/)).default([]),
  isolation: z.strictObject({
    /** Hosts it calls besides its model, seen or documented; an isolated run has none of them. */
    network: z.array(z.string()).default([]),
    note: z.string().nullable().default(null),
  }),
})
/** How one command-line agent is installed, started, pointed at a gateway and read. */
export type AgentDefinition = z.infer<typeof agentDefinitionSchema>
export type AgentLogin = z.infer<typeof loginSchema>

function hasOneGroup(pattern: string): boolean {
  try {
    return new RegExp(`${pattern}|`).exec('')?.length === 2
  } catch {
    return false
  }
}
