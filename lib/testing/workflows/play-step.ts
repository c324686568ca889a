import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import type { CiStep } from './read-workflows.ts'
import { MACHINE_LINES, PUBLISH_LINES } from './workflow-rules.ts'

/** Installing is done once for a clone; what a played workflow shows is everything after it. */
const DONE_BEFORE = ['npm ci', ...MACHINE_LINES]

export type PlayedStep = {
  name: string
  outcome: 'success' | 'failure' | 'skipped'
  outputs: Record<string, string>
  /** What was run, with its exit code and all it said. */
  run: string | null
  code: number | null
  said: string
  summary: string
  /** Its failure does not fail the job. */
  isTolerated?: boolean
}

/** The machine of one job, as its steps see it; a step may add to its PATH. */
export type Machine = Places & { env: Record<string, string>; path: string[] }

/** Plays one step: an action by hand, a `run` line by bash, exactly as it is written. */
export async function playStep(
  step: CiStep,
  machine: Machine,
  surroundings: Surroundings,
): Promise<PlayedStep> {
  const name = step.name ?? step.uses?.split('@')[0] ?? step.run ?? ''
  const isTolerated = step['continue-on-error']
  const played = {
    ...{ name, outputs: {}, run: step.run ?? null, code: null, said: '', summary: '' },
    isTolerated,
  }
  const filled = (values: CiStep['with']) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        asText(typeof value === 'string' ? fillIn(value, surroundings) : value),
      ]),
    )
  if (step.uses !== undefined) {
    try {
      const outputs = await playAction(step.uses, filled(step.with), machine)
      return { ...played, outcome: 'success', outputs }
    } catch (error) {
      return { ...played, outcome: 'failure', said: (error as Error).message }
    }
  }
  if (step.run === undefined || isElsewhere(step.run)) return { ...played, outcome: 'success' }
  return { ...played, ...(await runLine(step.run, machine, filled(step.env))) }
}

/** Packages and sandbox are there already; what is committed and pushed is GitHub's. */
function isElsewhere(run: string): boolean {
  return DONE_BEFORE.includes(run) || PUBLISH_LINES.includes(run)
}

async function runLine(
  line: string,
  machine: Machine,
  own: Record<string, string>,
): Promise<Pick<PlayedStep, 'outcome' | 'outputs' | 'code' | 'said' | 'summary'>> {
  const folder = mkdtempSync(join(machine.artifacts, '..', 'step-'))
  const files = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_PATH'].map((key) => [key, join(folder, key)]),
  )
  for (const file of Object.values(files)) writeFileSync(file, '')
  const PATH = [...machine.path, machine.env.PATH ?? ''].join(':')
  const env = { ...machine.env, ...files, ...own, PATH }
  // `shell: bash`, as GitHub starts it.
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', line], {
    cwd: machine.workspace,
    env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const read = (key: string) => readFileSync(files[key] ?? '', 'utf8')
  machine.path.unshift(...read('GITHUB_PATH').split('\n').filter(Boolean))
  const pairs = read('GITHUB_OUTPUT').split('\n').filter(Boolean).map(splitOutput)
  return {
    outcome: code === 0 ? 'success' : 'failure',
    outputs: Object.fromEntries(pairs),
    code,
    said,
    summary: read('GITHUB_STEP_SUMMARY'),
  }
}

function splitOutput(line: string): [string, string] {
  const at = line.indexOf('=')
  if (at < 1) throw new Error(`a workflow would not take this output: ${line}`)
  return [line.slice(0, at), line.slice(at + 1)]
}

/** Where one played job works and where artifacts are stored between jobs. */
type Places = { workspace: string; artifacts: string }

type Inputs = Readonly<Record<string, string>>

/** What the actions that our workflows use do to files, as their documentation says. Answers the step's outputs. */
async function playAction(
  uses: string,
  given: Inputs,
  places: Places,
): Promise<Record<string, string>> {
  const name = uses.split('@')[0] ?? ''
  if (name === 'actions/checkout' && given.ref) return checkOutCommit(given, places)
  if (name === 'actions/cache/restore') return restore(given, places)
  if (name === 'actions/cache/save') return keep(given, places)
  if (['actions/checkout', 'actions/setup-node', 'actions/cache'].includes(name)) return {}
  if (name === 'actions/upload-artifact') return upload(given, places)
  if (name === 'actions/upload-pages-artifact')
    return upload({ ...given, name: 'github-pages', 'if-no-files-found': 'error' }, places)
  if (name === 'actions/deploy-pages') return deploy(places)
  if (name === 'actions/download-artifact') return download(given, places)
  throw new Error(`${uses} is not an action that the workflow player supports`)
}

/** A commit of the repository that is the workspace, in a folder of it. */
async function checkOutCommit(
  { ref = '', path = '' }: Inputs,
  { workspace }: Places,
): Promise<Record<string, string>> {
  const line = 'git clone --quiet --no-checkout . "$TO" && git -C "$TO" checkout --quiet "$REF"'
  const child = spawn('bash', ['-ec', line], {
    cwd: workspace,
    env: { ...process.env, TO: path, REF: ref },
    stdio: 'ignore',
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${ref} cannot be checked out`)
  return {}
}

/** A cache is never changed once it is there. */
const cacheFolder = ({ key = '' }: Inputs, { artifacts }: Places) =>
  join(artifacts, '..', 'caches', key)

function restore(given: Inputs, places: Places): Record<string, string> {
  const folder = cacheFolder(given, places)
  if (!existsSync(folder)) return { 'cache-hit': '' }
  cpSync(folder, join(places.workspace, given.path ?? ''), { recursive: true })
  return { 'cache-hit': 'true' }
}

function keep(given: Inputs, places: Places): Record<string, string> {
  const folder = cacheFolder(given, places)
  if (existsSync(folder)) return {}
  cpSync(join(places.workspace, given.path ?? ''), folder, { recursive: true })
  return {}
}

function upload(given: Inputs, { workspace, artifacts }: Places): Record<string, string> {
  const from = join(workspace, given.path ?? '')
  const to = join(artifacts, given.name ?? 'artifact')
  if (!existsSync(from)) {
    if (given['if-no-files-found'] === 'error') throw new Error(`no files at ${given.path}`)
    return {}
  }
  if (existsSync(to)) {
    if (given.overwrite !== 'true') throw new Error(`an artifact ${given.name} is there already`)
    rmSync(to, { recursive: true })
  }
  mkdirSync(to, { recursive: true })
  // A folder gives its entries, a file itself.
  cpSync(from, statSync(from).isDirectory() ? to : join(to, basename(from)), { recursive: true })
  return { 'artifact-id': String(readdirSync(artifacts).length) }
}

function download(given: Inputs, { workspace, artifacts }: Places): Record<string, string> {
  const to = join(workspace, given.path ?? '.')
  const all = existsSync(artifacts) ? readdirSync(artifacts) : []
  if (given.name) {
    if (!all.includes(given.name)) throw new Error(`no artifact ${given.name}`)
    cpSync(join(artifacts, given.name), to, { recursive: true })
    return {}
  }
  const prefix = (given.pattern ?? '*').replace(/\*$/, '')
  const isMerged = given['merge-multiple'] === 'true'
  for (const name of all.filter((one) => one.startsWith(prefix)))
    cpSync(join(artifacts, name), isMerged ? to : join(to, name), { recursive: true })
  return {}
}

function deploy({ artifacts }: Places): Record<string, string> {
  if (!existsSync(join(artifacts, 'github-pages', 'index.html')))
    throw new Error('there is no site to deploy')
  return { page_url: 'https://pages.example.org/' }
}

/** What an expression can see: contexts by name, how the job stands, and the files of its workspace. */
export type Surroundings = {
  contexts: Readonly<Record<string, unknown>>
  job: { failed: boolean; cancelled: boolean }
  hashFiles: (pattern: string) => string
}

const STATUS = /\b(success|failure|always|cancelled)\s*\(/

/** Text with every `${{ … }}` filled in; one expression alone keeps its type. GitHub's own evaluator does the work. */
export function fillIn(text: string, surroundings: Surroundings): unknown {
  const alone = /^\$\{\{([^}]*)\}\}$/.exec(text.trim())
  if (alone) return evaluate(alone[1] ?? '', surroundings)
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    asText(evaluate(expression, surroundings)),
  )
}

/** An `if:`; without a word on how the job stands it is true only while nothing has failed. */
export function holds(condition: string | undefined, surroundings: Surroundings): boolean {
  const text = (condition ?? 'success()').trim().replace(/^\$\{\{(.*)\}\}$/s, '$1')
  const asked = STATUS.test(text) ? text : `success() && (${text})`
  return isTrue(evaluate(asked, surroundings))
}

/** As a workflow puts a value into text: null is nothing. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && value !== '' && value !== null
}

function evaluate(expression: string, { contexts, job, hashFiles }: Surroundings): unknown {
  const functions = [
    status('success', !job.failed && !job.cancelled),
    status('failure', job.failed && !job.cancelled),
    status('cancelled', job.cancelled),
    status('always', true),
    {
      name: 'hashFiles',
      minArgs: 1,
      maxArgs: 255,
      call: (...patterns: data.ExpressionData[]) =>
        new data.StringData(patterns.map((one) => hashFiles(one.coerceString())).join('')),
    },
  ]
  const { tokens } = new Lexer(expression.trim()).lex()
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse()
  const context = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary
  const named = new Map(functions.map((one) => [one.name.toLowerCase(), one]))
  const result = new Evaluator(parsed, context, named).evaluate()
  return JSON.parse(JSON.stringify(result, data.replacer)) as unknown
}

function status(name: string, value: boolean) {
  return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }
}
