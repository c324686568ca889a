import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import {
  type ArmContent,
  armNameSchema,
  armSettingsSchema,
  BASELINE_ARM,
  digestArm,
  EMPTY_ARM_DIGEST,
  MAX_ARMS,
  MAX_OVERLAY_BYTES,
  MAX_OVERLAY_FILES,
  mcpServerSchema,
  type OverlayFile,
  relativePathSchema,
} from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { parseYaml, readTextFile } from '../read-yaml.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { isFile, isFolder, readText } from '../user-files.ts'
import { isSkill, readSkill } from './skill.ts'

/** A requested arm: its files are read, but not checked against agent and tasks. */
export type RequestedArm = ArmContent & {
  name: string
  /** A skill, whose files are placed where the agent looks for skills. */
  skill?: { name: string; files: OverlayFile[] }
}

/** A file of the workspace: the path of its text next to the arms file, or the text itself. */
const fileSchema = z.union([
  z.string().min(1),
  z.strictObject({ text: z.string(), executable: z.literal(true).optional() }),
])

/** Arms as listed in a file; its paths are relative to the file. */
export const writtenArmsSchema = z
  .array(
    z.strictObject({
      name: armNameSchema,
      /** A folder whose files are copied into the workspace, or the files one by one. */
      files: z.union([z.string().min(1), z.record(z.string(), fileSchema)]).optional(),
      /** A folder with a SKILL.md. */
      skill: z.string().min(1).optional(),
      mcpServers: z.record(z.string(), mcpServerSchema.omit({ name: true })).optional(),
      promptPrefix: z.string().min(1).optional(),
      settings: armSettingsSchema.optional(),
      agentVersion: z.string().min(1).optional(),
    }),
  )
  .min(1)
  .max(MAX_ARMS)
type WrittenArm = z.infer<typeof writtenArmsSchema>[number]

const armFileSchema = z.strictObject({ arms: writtenArmsSchema })

/** Arms of a project file in `folder`. */
export type ProjectArms = { written: readonly WrittenArm[]; folder: string }

/**
 * Reads the arms named by `--arms` and `--arm`, else those of a project, and puts an empty baseline first if none is
 * named so; undefined = none were requested. Throws a one-sentence RunnerError.
 */
export function readArms(
  file: string | undefined,
  single: readonly string[] | undefined,
  project?: ProjectArms,
): RequestedArm[] | undefined {
  if (file !== undefined && single !== undefined)
    throw usageError('use --arms FILE or --arm PATH, not both', '--arms', '--arm')
  if (file !== undefined) return withBaseline(readArmsFile(file), '--arms')
  if (single !== undefined) return withBaseline(single.map(readSingleArm), '--arm')
  return (
    project &&
    withBaseline(
      project.written.map((arm) => toAsked(arm, project.folder)),
      '--arms',
    )
  )
}

function withBaseline(arms: RequestedArm[], flag: string): RequestedArm[] {
  const names = arms.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw usageError(`two arms are named "${twice}": rename one`, flag)
  const baseline = arms.find(({ name }) => name === BASELINE_ARM)
  if (baseline && digestArm(baseline) !== EMPTY_ARM_DIGEST)
    throw armError(
      BASELINE_ARM,
      'it must be empty, because other arms are compared with it: rename it',
    )
  if (baseline) return arms
  if (arms.length >= MAX_ARMS)
    throw usageError(`a plan has at most ${MAX_ARMS} arms, the baseline included`, flag)
  return [{ name: BASELINE_ARM, files: [], mcpServers: [] }, ...arms]
}

function readArmsFile(path: string): RequestedArm[] {
  return parseArms(path).map((arm) => toAsked(arm, dirname(resolve(path))))
}

function parseArms(path: string): WrittenArm[] {
  try {
    return parseYaml(readTextFile(path, 'arms'), basename(path), {
      noun: 'arms',
      whole: 'the arms',
      schema: armFileSchema,
      findMistakes: () => [],
    }).arms
  } catch (error) {
    if (isRunnerError(error)) throw usageError(error.message, '--arms')
    throw error
  }
}

/**
 * Throws a RunnerError if an arm's files are elsewhere: the sender of the list must not choose which files are read
 * here.
 */
export function refuseArmPaths(path: string): void {
  for (const { name, files = {}, skill } of parseArms(path))
    if (
      skill !== undefined ||
      typeof files === 'string' ||
      Object.values(files).some((file) => typeof file === 'string')
    )
      throw armError(
        name,
        'its files are given as { path: { text: … } } here: no other file is read',
      )
}

function toAsked(written: WrittenArm, folder: string): RequestedArm {
  const { name, files = {}, skill, mcpServers = {} } = written
  const { promptPrefix, settings, agentVersion } = written
  return {
    name,
    files: checkFiles(
      name,
      typeof files === 'string'
        ? readFolder(name, join(folder, files))
        : readListed(name, files, folder),
    ),
    mcpServers: Object.entries(mcpServers).map(([server, about]) => {
      const parsed = mcpServerSchema.safeParse({ name: server, ...about })
      if (parsed.success) return parsed.data
      throw armError(name, `the MCP server "${server}": ${parsed.error.issues[0]?.message}`)
    }),
    ...(skill !== undefined && { skill: openSkill(name, join(folder, skill)) }),
    ...(promptPrefix !== undefined && { promptPrefix }),
    ...(settings !== undefined && { settings }),
    ...(agentVersion !== undefined && { agentVersion }),
  }
}

/** Maximum length of an arm's name; that of a skill may be longer. */
const MAX_ARM_NAME = 40

/**
 * Reads `--arm`: a skill has its own name, another folder is an overlay named after itself, and a single file is copied
 * to the root of the workspace.
 */
function readSingleArm(path: string): RequestedArm {
  if (isFolder(path) && isSkill(path)) {
    const skill = openSkill(basename(resolve(path)), path)
    return { name: skill.name.slice(0, MAX_ARM_NAME), files: [], mcpServers: [], skill }
  }
  const name = basename(resolve(path))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (!armNameSchema.safeParse(name).success)
    throw usageError(
      `--arm ${path} does not give an arm a name: use --arms FILE, which names it`,
      '--arm',
    )
  if (isFolder(path))
    return { name, files: checkFiles(name, readFolder(name, path)), mcpServers: [] }
  if (!isFile(path)) throw usageError(`--arm ${path}: no such file or folder`, '--arm')
  const file = readOne(name, resolve(path), basename(path))
  return { name, files: checkFiles(name, [file]), mcpServers: [] }
}

function openSkill(arm: string, folder: string): NonNullable<RequestedArm['skill']> {
  const files = checkFiles(arm, readFolder(arm, folder))
  return { name: readSkill(folder, files).name, files }
}

function readListed(
  name: string,
  files: Exclude<NonNullable<WrittenArm['files']>, string>,
  folder: string,
): OverlayFile[] {
  return Object.entries(files).map(([path, file]) =>
    typeof file === 'string' ? readOne(name, join(folder, file), path) : { path, ...file },
  )
}

function readFolder(name: string, folder: string): OverlayFile[] {
  if (!isFolder(folder)) throw armError(name, `there is no folder ${folder}`)
  return listFiles(name, folder, '').map((path) => readOne(name, join(folder, path), path))
}

function listFiles(name: string, folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (entry.isDirectory()) return listFiles(name, folder, path)
      if (entry.isFile()) return [path]
      throw armError(name, `${path} is not a plain file: links are not followed`)
    })
}

function readOne(name: string, source: string, path: string): OverlayFile {
  const found = lstatSync(source, { throwIfNoEntry: false })
  if (!found) throw armError(name, `there is no file ${source}`)
  if (!found.isFile()) throw armError(name, `${source} is not a plain file: links are not followed`)
  if (found.size > MAX_OVERLAY_BYTES) throw armError(name, tooLarge())
  const read = readText(source)
  if (!read.ok) throw armError(name, `${source} cannot be put in: ${read.problem}`)
  const isScript = (found.mode & 0o100) !== 0
  return { path, text: read.text, ...(isScript && { executable: true as const }) }
}

/** Checks what is independent of agent and task: number, size and paths, in a deterministic order. */
function checkFiles(name: string, files: OverlayFile[]): OverlayFile[] {
  if (files.length > MAX_OVERLAY_FILES)
    throw armError(
      name,
      `it puts in ${countOf(files.length, 'file')}, at most ${MAX_OVERLAY_FILES} are allowed`,
    )
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > MAX_OVERLAY_BYTES) throw armError(name, tooLarge())
  const bad = files.find(({ path }) => !relativePathSchema.safeParse(path).success)
  if (bad) throw armError(name, `${bad.path} does not stay inside the workspace`)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function tooLarge(): string {
  return `its files have more than ${MAX_OVERLAY_BYTES >> 10} kB together`
}

/** Returns a one-sentence error about one arm. */
export function armError(name: string, problem: string) {
  return usageError(`arm "${name}": ${problem}`, '--arms')
}
