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
/** Real ones would open a provider; these must not get out either. */
const KEYS = { ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: SECRET, GEMINI_API_KEY: SECRET }

/** How one run through the real command line ended; `episode` is the one it sealed last. */
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

/** Variables of this name are put into the server's environment, and no subject may have them. */
const PLANTED = 'PLANTED_SECRET'

/** A folder for runs of real agents: data, temporary files and run folders are below `root` and removed with it. */
export class AgentBench {
  /** Open to the user that a root runner gives to its subjects. */
  readonly root = openFolder(mkdtempSync(join(tmpdir(), 'proofboard-agents-')))
  readonly #temporary = join(this.root, 'tmp')
  #runs = 0

  constructor() {
    mkdirSync(this.#temporary)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** A file of this place. */
  write(name: string, content: string): string {
    const path = join(this.root, name)
    writeFileSync(path, content)
    return path
  }

  /** Lets the agent solve lru-cache, asked of the scripted model in this protocol. Throws when nothing was sealed. */
  async run(
    { definition, place }: RealAgent,
    protocol: Protocol,
    level: Level,
    more: readonly string[],
  ): Promise<AgentRun> {
    this.#runs += 1
    const folder = join(this.root, `run-${this.#runs}`)
    // JSON is YAML: the very definition, made to prefer the protocol.
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

  /** What a run left behind outside of its own folder: processes by command line, temporary folders. */
  leftovers({ episode }: AgentRun): string[] {
    const fixed = `/tmp/proofboard-${episode.planDigest.slice('sha256:'.length).slice(0, 16)}`
    return [
      ...readdirSync(this.#temporary),
      ...(existsSync(fixed) ? [fixed] : []),
      ...processesOf(episode.runId),
    ]
  }

  /** Files of the run that hold a variable of the server's environment. */
  leaks({ folder }: AgentRun): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, 'latin1').includes(SECRET))
  }
}

/** A file of the attempt that sealed the episode. */
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

/** Every process of a run carries its mark; a port that is still open would need one. */
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
/** What the first command prints when the planted variable is not there. */
export const NOT_SEEN = 'nothing-was-planted-here'

const ASIDE = { input: 7000, output: 300 }

/**
 * The script that solves the task, with figures of its own at each turn, and a first command that looks into its
 * environment for what the server must not pass on.
 */
export function solvingScript(task: LoadedExercise): ModelScript {
  const turns = solveScript(task).turns.map((turn, index) => ({
    ...turn,
    ...(index === 0 && { call: ways(turn).map(lookAroundFirst) }),
    usage: { input: 1000 + 10 * index, output: 50 + index, cacheRead: 200 * index },
  }))
  return { turns, aside: { say: 'A title', usage: ASIDE } }
}

/** Tokens of the whole script, answered once, with so many questions beside it (titles, summaries). */
export function tokensOf({ turns }: ModelScript, asides: number) {
  const sum = (key: 'input' | 'output') =>
    turns.reduce((total, { usage }) => total + (usage?.[key] ?? 0), 0) + asides * ASIDE[key]
  return { input: sum('input'), output: sum('output') }
}

/** How the agents call the tools that the script uses. */
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
