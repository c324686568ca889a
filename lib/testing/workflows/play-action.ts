import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { parse } from 'yaml'
import { z } from 'zod'
import { type CiStep, readAction } from './read-workflows.ts'

/** A job of a workflow that uses an action. */
type Job = {
  /** The checkout. */
  folder: string
  /** Folder of the files that jobs share, by key. */
  cache: string
  event: unknown
  sha: string
  inputs?: Record<string, string>
  env: Record<string, string>
}

export type PlayedJob = {
  /** Each step with how it ended: `skipped`, `exit 0`, `hit`. */
  steps: string[]
  printed: string
  summary: string
}

const inputsSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().default('') })),
})

type Outputs = Record<string, string>
type State = { outputs: Record<string, Outputs>; outcomes: Record<string, string> }

/**
 * Plays the steps of a composite action in order: its own commands are run, except those that prepare a hosted machine; cache
 * and checkout are stood in for by folders and git.
 */
export async function playAction(name: string, job: Job): Promise<PlayedJob> {
  const { path, text, jobs } = readAction(name)
  const defaults = inputsSchema.parse(parse(text)).inputs
  const inputs = {
    ...Object.fromEntries(Object.entries(defaults).map(([key, one]) => [key, one.default])),
    ...job.inputs,
  }
  const known: Record<string, string> = { 'github.sha': job.sha, 'runner.os': 'Linux' }
  known['github.action_path'] = resolve(path, '..')
  for (const [key, value] of Object.entries(inputs)) known[`inputs.${key}`] = value
  const files = writeFiles(job)
  const play: Play = { job, known, files, state: { outputs: {}, outcomes: {} }, printed: '' }
  const steps: string[] = []
  for (const step of jobs.compare?.steps ?? []) {
    const how = await playStep(step, play)
    steps.push(`${step.name ?? 'uses'}: ${how}`)
    if (/^exit (?!0)/.test(how) && !step['continue-on-error']) break
  }
  const summary = readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
  return { steps, printed: play.printed, summary }
}

type Play = {
  job: Job
  known: Outputs
  files: ReturnType<typeof writeFiles>
  state: State
  printed: string
}

/** Plays one step and returns how it ended. */
async function playStep(step: CiStep, play: Play): Promise<string> {
  const { job, known, files, state } = play
  if (step.if !== undefined && evaluate(step.if, known, state) !== 'true') return 'skipped'
  if (step.uses !== undefined) return standIn(step, job, fillAll(step.with, known, state), state)
  if (/\bsudo\b/.test(step.run ?? '')) return 'of the hosted machine'
  const ended = await runStep(step, job, fillAll(step.env, known, state), files)
  play.printed += ended.printed
  if (step.id !== undefined) {
    state.outputs[step.id] = ended.outputs
    state.outcomes[step.id] = ended.code === 0 ? 'success' : 'failure'
  }
  return `exit ${ended.code}`
}

function writeFiles({ folder, event }: Job) {
  const files = {
    GITHUB_EVENT_PATH: `${folder}.event`,
    GITHUB_OUTPUT: `${folder}.output`,
    GITHUB_PATH: `${folder}.path`,
    GITHUB_STEP_SUMMARY: `${folder}.summary`,
  }
  for (const file of Object.values(files)) writeFileSync(file, '')
  writeFileSync(files.GITHUB_EVENT_PATH, JSON.stringify(event))
  return files
}

async function runStep(
  { run = '' }: CiStep,
  { folder, env }: Job,
  own: Outputs,
  files: ReturnType<typeof writeFiles>,
) {
  const before = readFileSync(files.GITHUB_OUTPUT, 'utf8').length
  const added = readFileSync(files.GITHUB_PATH, 'utf8').split('\n').filter(Boolean)
  const { exitCode, all } = await execa('bash', ['-e', '-o', 'pipefail', '-c', run], {
    cwd: folder,
    env: {
      ...process.env,
      ...files,
      ...env,
      ...own,
      PATH: [...added, process.env.PATH].join(':'),
    },
    extendEnv: false,
    all: true,
    reject: false,
  })
  const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').slice(before).split('\n').filter(Boolean)
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  return { code: exitCode, outputs, printed: all }
}

async function standIn(
  { uses = '', id }: CiStep,
  { folder, cache }: Job,
  given: Outputs,
  state: State,
): Promise<string> {
  const { key = '', path = '', ref = '' } = given
  const kept = join(cache, key)
  if (uses.includes('cache/restore')) {
    const isHit = existsSync(kept)
    if (isHit) cpSync(kept, join(folder, path), { recursive: true })
    state.outputs[id ?? ''] = { 'cache-hit': String(isHit) }
    return isHit ? 'hit' : 'miss'
  }
  if (uses.includes('cache/save')) {
    cpSync(join(folder, path), kept, { recursive: true })
    return 'saved'
  }
  if (uses.includes('checkout')) {
    const script = 'git clone --quiet . "$0" && git -C "$0" checkout --quiet "$1"'
    const { exitCode } = await execa('sh', ['-c', script, path, ref], {
      cwd: folder,
      reject: false,
    })
    return `exit ${exitCode}`
  }
  return 'stood in for'
}

function fillAll(values: CiStep['with'], known: Outputs, state: State): Outputs {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      String(value ?? '').replace(/\$\{\{(.*?)\}\}/g, (_, text: string) =>
        evaluate(text, known, state),
      ),
    ]),
  )
}

/** Evaluates what the actions use of GitHub's expressions: names, texts, `==`, `!=`, `&&` and `||`. */
function evaluate(text: string, known: Outputs, { outputs, outcomes }: State): string {
  const read = (word: string): string => {
    const [, quoted] = /^'(.*)'$/.exec(word) ?? []
    if (quoted !== undefined) return quoted
    const [, step = '', output = ''] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(word) ?? []
    if (step !== '') return outputs[step]?.[output] ?? ''
    const [, of = ''] = /^steps\.([\w-]+)\.outcome$/.exec(word) ?? []
    return of === '' ? (known[word] ?? '') : (outcomes[of] ?? '')
  }
  const compare = (part: string): string => {
    const [left = '', sign, right = ''] = part.trim().split(/\s*(==|!=)\s*/)
    if (sign === undefined) return read(left)
    return String((read(left) === read(right)) === (sign === '=='))
  }
  const isTrue = (value: string) => value !== '' && value !== 'false'
  const all = (part: string) =>
    part
      .split('&&')
      .map(compare)
      .reduce((before, next) => (isTrue(before) ? next : before))
  return text
    .split('||')
    .map(all)
    .reduce((before, next) => (isTrue(before) ? before : next))
}
