import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { digestJson } from '#lib/domain/digest/index.ts'
import { behavioursSchema } from '#lib/domain/tasks/index.ts'
import { parseYaml } from '../read-yaml.ts'
import { type Change, readOverlay } from '../repository/overlay.ts'
import { suiteError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { readHarborTask } from './read-harbor-task.ts'
import { type Case, CHECK_ENDINGS, commandFor, writeCase } from './write-case.ts'

/** The file that makes a folder a case. */
const CASE_FILE = 'PROMPT.md'

/** Reads a folder with a `PROMPT.md` and a check. Throws a RunnerError with one sentence. */
export function readCaseFolder(folder: string): LoadedHarbor {
  const name = basename(folder)
  return loadCase({ name, place: `${name}/${CASE_FILE}` }, () => {
    const all = readOverlay(folder)
    const { prompt, expect } = readPrompt(all.find(({ path }) => path === CASE_FILE))
    const scripts = all.filter(({ path }) => /^check\.[a-z]+$/.test(path)).map(({ path }) => path)
    const known = CHECK_ENDINGS.map((ending) => `check${ending}`).join(', ')
    const [script] = scripts
    if (script === undefined) throw new Error(`has no check beside it: add ${known}`)
    if (scripts.length > 1) throw new Error(`has several checks beside it: ${scripts.join(', ')}`)
    const command = commandFor(script)
    if (command === null) throw new Error(`has ${script} beside it, which is not one of ${known}`)
    const isHidden = ({ path }: Change) => path === script || path.startsWith('check/')
    const isTask = ({ path }: Change) => path === CASE_FILE || path.startsWith('solution/')
    return {
      name: name.toLowerCase(),
      prompt,
      files: all.filter((file) => !isHidden(file) && !isTask(file)),
      check: { files: all.filter(isHidden), command },
      solution: below(all, 'solution/'),
      expect,
    }
  })
}

/**
 * Loads a case as a task in Harbor's format. Until it is proven it can be run all the same, and says so. `place` names the
 * file to blame.
 */
export function loadCase(
  { name, place }: { name: string; place: string },
  read: () => Case,
): LoadedHarbor {
  try {
    const cache = join(dataFolder(RUNNER_ENV), 'cache', 'cases')
    const one = read()
    const loaded = withBehaviours(readHarborTask(writeCase(cache, one)), one.expect)
    return loaded.unproven === null || loaded.refusal !== null ? loaded : asUnproven(loaded)
  } catch (error) {
    const [problem] = (error as { problems?: { message: string }[] }).problems ?? []
    throw suiteError(`task ${name} cannot be loaded`, [
      { path: place, message: problem?.message ?? (error as Error).message },
    ])
  }
}

function withBehaviours(loaded: LoadedHarbor, expect: Case['expect']): LoadedHarbor {
  return expect === undefined
    ? loaded
    : { ...loaded, task: { ...loaded.task, expect: [...expect] } }
}

/** A proof makes another version of the task, because results from before it show less. */
function asUnproven(loaded: LoadedHarbor): LoadedHarbor {
  const { task } = loaded
  const digest = digestJson({ unproven: task.digest })
  return { ...loaded, unproven: null, task: { ...task, digest, unproven: true } }
}

/** The files below a folder, by their paths in it. */
export function below(files: readonly Change[], folder: string): Change[] {
  return files
    .filter(({ path }) => path.startsWith(folder))
    .map((file) => ({ ...file, path: file.path.slice(folder.length) }))
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/
const frontMatterSchema = z.strictObject({ expect: behavioursSchema.optional() })

/** Returns the prompt without its front matter, and the expected behaviours that the front matter lists. */
function readPrompt(file: Change | undefined): Pick<Case, 'prompt' | 'expect'> {
  const text = file?.bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? ''
  const [whole = '', matter] = FRONT_MATTER.exec(text) ?? []
  const prompt = text.slice(whole.length).trim()
  if (prompt === '') throw new Error('is empty')
  if (matter === undefined) return { prompt }
  const { expect } = parseYaml(matter, 'the front matter', {
    noun: 'task',
    whole: 'it',
    schema: frontMatterSchema,
    findMistakes: () => [],
  })
  return { prompt, expect }
}

export function isCase(folder: string): boolean {
  return existsSync(join(folder, CASE_FILE))
}
