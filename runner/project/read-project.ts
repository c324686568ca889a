import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { slugSchema } from '#lib/domain/record/index.ts'
import { expectedOf, OPTION_LIST, readSetting } from '#lib/domain/settings/index.ts'
import { writtenArmsSchema } from '../arms/read-arms.ts'
import { parseYaml, readTextFile } from '../read-yaml.ts'
import { subjectError } from '../runner-error.ts'

/** The file that `proofboard run` reads if neither a suite nor a plan is named. */
export const PROJECT_FILE = 'proofboard.yaml'

const text = z.string().min(1).max(2000)

/** One thing to measure; each field is the option of `proofboard run` of the same name. */
const subjectSchema = z.strictObject({
  /** An agent (`proofboard agents list`), a browser library, or a control. */
  subject: text.optional(),
  /** A shell command that is started as the agent; needs `name`, and `subject-version` to be ranked. */
  command: text.optional(),
  name: text.optional(),
  'subject-version': text.optional(),
  /** Custom definitions, next to this file. */
  'agent-file': text.optional(),
  'library-file': text.optional(),
  model: text.optional(),
  provider: text.optional(),
  'provider-file': text.optional(),
  'agent-version': text.optional(),
})

const projectSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** The name of a suite, or its folder, relative to this file. */
  suite: text,
  /** Only these tasks. */
  tasks: z.array(slugSchema).min(1).optional(),
  repetitions: z.number().int().min(1).max(1000).default(1),
  concurrency: z.number().int().min(1).max(64).default(1),
  /** Maximum US dollars of one run. */
  'spend-cap': z.number().positive().max(1e6).optional(),
  /** Limits and other settings, by the names of their options: `max-steps`, `timeout`, `isolation`. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  subjects: z.array(subjectSchema).min(1).max(20),
  /** Arms of each agent, as in a file of `--arms`; controls are measured without them. */
  arms: writtenArmsSchema.optional(),
})
export type Project = z.infer<typeof projectSchema> & { folder: string }
export type ProjectSubject = z.infer<typeof subjectSchema>

const NAMES = new Map(OPTION_LIST.map((setting) => [setting.option.flag.slice(2), setting]))

/** Returns the values of the settings by their options; a control calls no model, so model limits are left out. */
export function projectSettings(
  { settings }: Pick<Project, 'settings'>,
  { forControl }: { forControl: boolean },
): Map<string, unknown> {
  return new Map(
    Object.entries(settings).flatMap(([name, value]) => {
      const setting = NAMES.get(name)
      return setting && !(forControl && setting.needsGateway)
        ? [[setting.option.flag, readSetting(setting, String(value))] as const]
        : []
    }),
  )
}

function findMistakes({ settings, subjects }: z.infer<typeof projectSchema>) {
  const unknown = Object.keys(settings).flatMap((name) =>
    NAMES.has(name)
      ? []
      : [
          {
            path: ['settings', name],
            message: `is not a setting: choose from ${[...NAMES.keys()].join(', ')}`,
          },
        ],
  )
  const wrong = Object.entries(settings).flatMap(([name, value]) => {
    const setting = NAMES.get(name)
    return setting && readSetting(setting, String(value)) === undefined
      ? [{ path: ['settings', name], message: `must be ${expectedOf(setting)}` }]
      : []
  })
  const unnamed = subjects.flatMap((one, index) => {
    const named = [one.subject, one.command, one['agent-file'], one['library-file']]
    return named.filter((value) => value !== undefined).length === 1
      ? []
      : [
          {
            path: ['subjects', index],
            message: 'needs exactly one of subject, command, agent-file, library-file',
          },
        ]
  })
  return [...unknown, ...wrong, ...unnamed]
}

/** Reads and checks a project file. Throws a RunnerError that names the mistake and its position. */
export function readProject(file: string): Project {
  const path = resolve(file)
  if (!existsSync(path))
    throw subjectError(`${file} does not exist: create it with "proofboard init"`)
  const kind = {
    noun: 'project',
    whole: 'the file',
    schema: projectSchema,
    findMistakes,
  } as const
  const project = parseYaml(readTextFile(path, 'project'), file, kind)
  return { ...project, folder: dirname(path) }
}

/** Finds the project file of a folder; null = none. */
export function findProjectFile(folder: string): string | null {
  const file = join(folder, PROJECT_FILE)
  return existsSync(file) ? file : null
}

/** Resolves a path of the file; the name of a suite stays unchanged. */
export function fromProject({ folder }: Pick<Project, 'folder'>, path: string): string {
  const below = resolve(folder, path)
  return path.includes('/') || existsSync(below) ? below : path
}

/** Returns a subject's name in paths and output. */
export function subjectName(one: ProjectSubject, index: number): string {
  const named = one.name ?? one.subject ?? one['agent-file'] ?? one['library-file'] ?? ''
  const slug = named
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${index + 1}-${slug.slice(0, 40) || 'subject'}`
}
