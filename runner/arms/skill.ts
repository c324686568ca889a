import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import type { OverlayFile } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { parseYaml } from '../read-yaml.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { isFile } from '../user-files.ts'

/** The file that marks a folder as a skill, by the Agent Skills standard (agentskills.io/specification). */
const SKILL_FILE = 'SKILL.md'
/** A skill's own cases with their expected results. Hidden from agents. */
const EVALS = /^evals\//
/** The folder for a skill's files if the agent is not known to read skills. */
const COMMON_FOLDER = '.agents/skills'

const frontmatterSchema = z.looseObject({
  name: z
    .string()
    .regex(
      /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/,
      'expected at most 64 lower-case letters and digits, with single dashes between them',
    ),
  description: z.string().trim().min(1),
})
type Skill = z.infer<typeof frontmatterSchema>

export function isSkill(folder: string): boolean {
  return isFile(join(folder, SKILL_FILE))
}

/** Reads the name and description at the beginning of a SKILL.md. Throws a one-sentence RunnerError. */
export function readSkill(folder: string, files: readonly OverlayFile[]): Skill {
  const place = `${basename(resolve(folder))}/${SKILL_FILE}`
  const [, yaml] = splitFrontmatter(files)
  if (yaml === undefined)
    throw usageError(
      `${place} does not begin with name and description between two lines of ---: add them`,
      '--arm',
    )
  try {
    return parseYaml(yaml, place, {
      noun: 'skill',
      whole: 'the skill',
      schema: frontmatterSchema,
      findMistakes: () => [],
    })
  } catch (error) {
    if (isRunnerError(error)) throw usageError(error.message, '--arm')
    throw error
  }
}

/**
 * Places the files of a skill where an agent looks for skills. For an agent without known skill support its text
 * becomes AGENTS.md, which every agent reads.
 */
export function placeSkill(
  name: string,
  files: readonly OverlayFile[],
  definition: Pick<AgentDefinition, 'skills'> | null,
): OverlayFile[] {
  const folder = `${definition?.skills ?? COMMON_FOLDER}/${name}`
  const visible = files.filter(({ path }) => !EVALS.test(path))
  const placed = visible.map((file) => ({ ...file, path: `${folder}/${file.path}` }))
  if (definition?.skills !== undefined) return placed
  const [, , body = ''] = splitFrontmatter(files)
  const others = visible.length > 1 ? `\nThe files of this skill are in ${folder}.\n` : ''
  const rest = placed.filter(({ path }) => path !== `${folder}/${SKILL_FILE}`)
  return [...rest, { path: 'AGENTS.md', text: `${body.trim()}\n${others}` }]
}

function splitFrontmatter(files: readonly OverlayFile[]): RegExpExecArray | [] {
  const text = files.find(({ path }) => path === SKILL_FILE)?.text ?? ''
  return /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? []
}
