import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import {
  difficultySchema,
  durationMsSchema,
  relativePathSchema,
  releasedSchema,
  slugSchema,
} from '../record/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { familySchema } from './family.ts'
import { limitsFileSchema, taskLimitsSchema } from './place-limits.ts'

/** Supported report formats of test runners. */
export const REPORT_FORMATS = [
  'junit',
  'ctrf',
  'tap',
  'jest',
  'vitest',
  'node',
  'pytest',
  'go',
] as const

const MAX_SECONDS = 24 * 3600
const DEFAULT_VERIFY_SECONDS = 120

const seconds = z.number().int().min(1).max(MAX_SECONDS)

const oneLine = z
  .string()
  .min(1)
  .max(2000)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

/** A glob of paths inside the repository. */
const globSchema = z
  .string()
  .min(1)
  .max(300)
  .refine(
    (glob) =>
      !glob.startsWith('/') &&
      !glob.includes('\\') &&
      !glob.includes('\0') &&
      !glob.split('/').some((part) => part === '..' || part === '.'),
    'expected a glob inside the repository, such as src/**: no leading slash, no ".."',
  )

/**
 * Addresses that git may fetch from: https, ssh, or a path of this machine. Rejects anything that git would read as an
 * option, and transports that run a command (`ext::`), so that a task file cannot start a program.
 */
export const gitUrlSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((url) => !url.startsWith('-'), 'must not start with "-": git would read it as an option')
  .refine((url) => !/[\s\p{Cc}]/u.test(url), 'must not contain spaces or control characters')
  .refine((url) => !url.includes('::'), 'must not name a transport helper such as ext::')
  .refine(
    (url) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^(https|ssh|file):\/\//.test(url),
    'must be https://, ssh://, file:// or a path',
  )
  .refine(
    (url) => !/^(https|ssh):\/\/(-|[^/]*@-)/.test(url) && !/^[^/]*@-/.test(url),
    'must not name a host that starts with "-"',
  )

/** True if a git address is a path of this machine, not a URL or `host:path`. */
export function isGitPath(address: string): boolean {
  return !/^[a-z]+:\/\/|^[^/]+@[^/]+:/i.test(address)
}

const folderSourceSchema = z.strictObject({ folder: relativePathSchema })
const gitSourceSchema = z.strictObject({
  git: gitUrlSchema,
  commit: z.string().regex(/^[0-9a-f]{40}$/, 'must be the 40 hexadecimal digits of a commit'),
  /** Folder of the repository with the task; absent = the root. */
  folder: relativePathSchema.optional(),
})

const sourceSchema = z.union([folderSourceSchema, gitSourceSchema])
type Source = z.infer<typeof sourceSchema>

/** Parts of a task that may request network access. */
export const networkPartSchema = z.enum(['setup', 'agent', 'verify'])
export type NetworkPart = z.infer<typeof networkPartSchema>

const noNetworkSchema = z.literal('off', {
  error: 'must be off, or { reason: <a sentence>, for: [setup, agent, verify] }',
})
const someNetworkSchema = z.strictObject({
  reason: z.string().min(10, 'say in a sentence why').max(300),
  for: z.array(networkPartSchema).min(1),
})

const networkSchema = z.union([noNetworkSchema, someNetworkSchema])
type Network = z.infer<typeof networkSchema>

const reportSchema = z.strictObject({
  format: z.enum(REPORT_FORMATS),
  /** File that the command writes; `stdout`, or `{report}` in the command for a path drawn for each run. */
  path: relativePathSchema.optional(),
})

const MAX_COMMANDS = 20
const MAX_GLOBS = 100

const shape = {
  title: z.string().min(1).max(200),
  category: z.string().min(1).max(60),
  difficulty: difficultySchema,
  /** Packages of this installation that are put into `node_modules` of the prepared base, before the set-up. */
  provide: z.array(z.enum(['esbuild'])).default([]),
  /** Commands run once, in order, in a fresh environment; every attempt starts from the resulting tree. */
  setup: z.array(oneLine).max(MAX_COMMANDS).default([]),
  change: z
    .strictObject({
      /** Files that the subject may change; other changes are left out of its patch. */
      allow: z.array(globSchema).min(1).max(MAX_GLOBS).default(['**']),
      /** Files that the subject must not change: restored before judging; a change is a finding. */
      protect: z.array(globSchema).max(MAX_GLOBS).default([]),
    })
    .default({ allow: ['**'], protect: [] }),
  released: releasedSchema.optional(),
  family: familySchema.optional(),
  expect: behavioursSchema.optional(),
}

/** Chooses one of several schemas by the value, so that errors come from the intended schema. */
function chosenBy<T>(choose: (value: unknown) => z.ZodType<T>) {
  return z.unknown().transform((value, context): T => {
    const parsed = choose(value).safeParse(value)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value
}

/** `task.yaml`: a repository task as its author writes it. Times are in seconds. */
export const repositoryFileSchema = z.strictObject({
  id: slugSchema,
  ...shape,
  source: chosenBy<Source>((value) =>
    hasKey(value, 'git') ? gitSourceSchema : folderSourceSchema,
  ),
  network: chosenBy<Network>((value) =>
    typeof value === 'object' && value !== null ? someNetworkSchema : noNetworkSchema,
  ).default('off'),
  /** Absent = `instruction.md` next to it. */
  instruction: z.string().min(1).max(20_000).optional(),
  verify: z.strictObject({
    command: oneLine,
    report: reportSchema,
    timeout: seconds.default(DEFAULT_VERIFY_SECONDS),
  }),
  /** Upper limits for a subject; the plan's apply if they are lower. */
  budgets: z
    .strictObject({
      timeout: seconds.optional(),
      steps: z.number().int().positive().max(10_000).optional(),
    })
    .default({}),
  limits: limitsFileSchema.optional(),
})
export type RepositoryFile = z.infer<typeof repositoryFileSchema>

/** A test that is not expected, with the reason: it did not pass every time the reference was judged. */
export const flakyTestSchema = z.object({
  name: z.string().min(1),
  reason: z.string().min(1).max(500),
})

/**
 * One repository task with its contract. `digest` covers every byte that decides a pass: source, set-up, tests, verify
 * command, budgets, network and the expected test names; not the reference and the wrong variants.
 */
export const repositoryTaskSchema = z.object({
  kind: z.literal('repository'),
  taskId: slugSchema,
  digest: digestSchema,
  ...shape,
  source: sourceSchema,
  network: networkSchema,
  instruction: z.string().min(1).max(20_000),
  verify: z.object({ command: oneLine, report: reportSchema, timeoutMs: durationMsSchema }),
  budgets: z.object({
    timeoutMs: durationMsSchema.optional(),
    maxSteps: z.number().int().positive().optional(),
  }),
  limits: taskLimitsSchema.optional(),
  /** Test names that must be reported as passed, as often as listed here; determined by the proof, sorted. */
  expectedTests: z.array(z.string()),
  /** Tests of the report that do not affect the verdict. */
  flakyTests: z.array(flakyTestSchema),
})
export type RepositoryTask = z.infer<typeof repositoryTaskSchema>

/** True if a part of the task may use the network. */
export function mayUseNetwork({ network }: Pick<RepositoryTask, 'network'>, part: NetworkPart) {
  return network !== 'off' && network.for.includes(part)
}
