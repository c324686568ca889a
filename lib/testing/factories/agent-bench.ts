import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Protocol } from '#lib/domain/runs/index.ts'
import {
  type ModelScript,
  type ScriptCall,
  type ScriptTurn,
  solveScript,
} from '#runner/gateway/model-script.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'
import type { JudgedRow } from '../../domain/board/index.ts'
import { type Episode, parseBundle } from '../../domain/record/index.ts'
import { lastJson, startProofboard } from './proofboard-command.ts'
import type { Level, RealAgent } from './real-agents.ts'

const SECRET = 'planted-7f3a9c51'
/** Fake keys. Real ones would give access to a provider; these must not leak either. */
const KEYS = { ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: SECRET, GEMINI_API_KEY: SECRET }

/** The ending of one run through the real command line; `episode` is the last one it sealed. */
export type AgentRun = {
  code: number | null
  stderr: string
  seconds: number
  row: JudgedRow | null
  episode: Episode
  folder: string
}

function openFolder(path: string): string {
  chmodSync(path, 0o755)
  return path
}

/** A variable in the server's environment that no subject may see. */
const PLANTED = 'PLANTED_SECRET'

/** A folder for runs of real agents: data, temporary files and run folders are below `root` and removed with it. */
export class AgentBench {
  /** Open to the user that a root runner allocates for its subjects. */
  readonly root = openFolder(mkdtempSync(join(tmpdir(), 'proofboard-agents-')))
  readonly #temporary = join(this.root, 'tmp')
  #runs = 0

  constructor() {
    mkdirSync(this.#temporary)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Writes a file into the folder. */
  write(name: string, content: string): string {
    const path = join(this.root, name)
    writeFileSync(path, content)
    return path
  }

  /** Lets the agent solve lru-cache with the scripted model in this protocol. Throws if nothing was sealed. */
  async run(
    { definition, place }: RealAgent,
    protocol: Protocol,
    level: Level,
    more: readonly string[],
  ): Promise<AgentRun> {
    this.#runs += 1
    const folder = join(this.root, `run-${this.#runs}`)
    // JSON is YAML: the agent's own definition, changed to prefer the protocol.
    const file = this.write(
      `${definition.name}-${protocol}.yaml`,
      JSON.stringify({ ...definition, preferred: protocol }),
    )
    const args = [
      ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', file],
      ...['--provider', 'scripted', '--model', 'scripted-1', '--isolation', level],
      ...['--out', folder, '--json', ...more],
    ]
    const startedAt = performance.now()
    const ended = await startProofboard(join(this.root, 'data'), args, {
      PROOFBOARD_AGENTS_DIR: place,
      TMPDIR: this.#temporary,
      [PLANTED]: SECRET,
      ...KEYS,
    }).ended
    const seconds = (performance.now() - startedAt) / 1000
    const episode = sealedIn(folder)
    if (episode === null) throw new Error(`nothing was sealed: ${ended.stderr.slice(-2000)}`)
    const { rows } = lastJson(ended.stdout) as { rows: JudgedRow[] }
    return { ...ended, seconds, row: rows[0] ?? null, episode, folder }
  }

  /** Lists what a run left outside of its own folder: processes by command line, temporary folders. */
  leftovers({ episode }: AgentRun): string[] {
    const fixed = `/tmp/proofboard-${episode.planDigest.slice('sha256:'.length).slice(0, 16)}`
    return [
      ...readdirSync(this.#temporary),
      ...(existsSync(fixed) ? [fixed] : []),
      ...processesOf(episode.runId),
    ]
  }

  /** Lists files of the run that contain a variable of the server's environment. */
  leaks({ folder }: AgentRun): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, 'latin1').includes(SECRET))
  }
}

/** Reads a file of the attempt that sealed the episode. */
export function readEvidence({ episode, folder }: AgentRun, name: string): string {
  const attempt = `r${episode.repetition}-a${episode.attempt}`
  return readFileSync(join(folder, 'episodes', episode.taskId, attempt, name), 'utf8')
}

function sealedIn(folder: string): Episode | null {
  const result = join(folder, 'result.json')
  if (!existsSync(result)) return null
  const parsed = parseBundle(JSON.parse(readFileSync(result, 'utf8')))
  return parsed.ok ? (parsed.value.episodes.at(-1) ?? null) : null
}

/** Lists processes with a run's mark; an open port would need one. */
function processesOf(runId: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`=${runId}-`)
        return marked ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })
}
/** Output of the first command if it does not see the planted variable. */
export const NOT_SEEN = 'nothing-was-planted-here'

const ASIDE = { input: 7000, output: 300 }

/**
 * A script that solves the task, with distinct usage at each turn; its first command searches its environment for the
 * planted variable.
 */
export function solvingScript(task: LoadedExercise): ModelScript {
  const turns = solveScript(task).turns.map((turn, index) => ({
    ...turn,
    ...(index === 0 && { call: ways(turn).map(lookAroundFirst) }),
    usage: { input: 1000 + 10 * index, output: 50 + index, cacheRead: 200 * index },
  }))
  return { turns, aside: { say: 'A title', usage: ASIDE } }
}

/** Token totals of a complete script, plus this many side requests (titles, summaries). */
export function tokensOf({ turns }: ModelScript, asides: number) {
  const sum = (key: 'input' | 'output') =>
    turns.reduce((total, { usage }) => total + (usage?.[key] ?? 0), 0) + asides * ASIDE[key]
  return { input: sum('input'), output: sum('output') }
}

/** Names of the tools that the script calls. */
export function toolNames({ turns }: ModelScript): string[] {
  return [...new Set(turns.flatMap((turn) => ways(turn).map(({ tool }) => tool)))]
}

function ways({ call = [] }: ScriptTurn): ScriptCall[] {
  return [call].flat()
}

function lookAroundFirst({ tool, input }: ScriptCall): ScriptCall {
  const before = `env | grep ${PLANTED} || echo ${NOT_SEEN}; `
  const put = (value: unknown, key: string): unknown => {
    if (['command', 'cmd'].includes(key) && typeof value === 'string') return before + value
    if (Array.isArray(value)) return [...value.slice(0, -1), before + String(value.at(-1))]
    return value
  }
  return {
    tool,
    input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, put(value, key)])),
  }
}
