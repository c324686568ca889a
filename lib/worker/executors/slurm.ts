import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import {
  engineName,
  type RemoteManifest,
  SLURM_TOKEN_FILE,
  type SlurmSettings,
  slurmScript,
} from '../../domain/executors/index.ts'
import { env } from '../../env.ts'
import { type Engine, EngineFailure, type EngineLook, type EngineShard } from './engine.ts'

/** Runs a run as an array job, by Slurm's own commands. */
export function slurmEngine(manifest: RemoteManifest, settings: SlurmSettings): Engine {
  const folder = join(settings.folder, manifest.runId)
  const token = join(folder, SLURM_TOKEN_FILE)
  const command = settings.command ?? [process.execPath, env().runnerPath]
  return {
    find: async () => {
      const name = engineName(manifest)
      const lines = await squeue([`--name=${name}`, '--format=%F'])
      const [engineId] = lines ?? []
      return engineId ? { engineId: readJobId(engineId), engineUrl: null, hasToken: true } : null
    },
    start: async (secret) => {
      const script = join(folder, 'job.sh')
      const text = slurmScript(manifest, settings, { folder, command })
      await writeJob({ folder, token, secret, script, text }).catch(unwritable)
      const output = await slurm('sbatch', ['--parsable', script])
      return { engineId: readJobId(output.trim().split(';')[0] ?? ''), engineUrl: null }
    },
    look: async (engineId) => {
      const columns = '--format=%K|%T|%N|%r'
      const lines = await squeue(['--array', `--jobs=${engineId}`, columns])
      return describe(lines ?? (await askAccounting(engineId)), manifest.shards)
    },
    cancel: async (engineId) => {
      await slurm('scancel', ['--full', engineId]).catch(ignoreUnknown)
    },
    clean: () => rm(token, { force: true }).catch(unwritable),
  }
}

type JobFiles = { folder: string; token: string; secret: string; script: string; text: string }

async function writeJob({ folder, token, secret, script, text }: JobFiles): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(token, `${secret}\n`, { mode: 0o600 })
  await chmod(token, 0o600)
  await writeFile(script, text)
}

function unwritable(error: Error): never {
  const message = `Slurm's folder cannot be written: ${error.message}`
  throw new EngineFailure(message, { isFinal: true })
}

/** Includes ended jobs while the controller remembers them. Null = it does not know this job. */
async function squeue(args: readonly string[]): Promise<string[] | null> {
  try {
    const output = await slurm('squeue', ['--noheader', '--states=all', ...args])
    const lines = output.split('\n').filter(Boolean)
    return lines.length > 0 ? lines : null
  } catch (error) {
    ignoreUnknown(error)
    return null
  }
}

/** Asks for older jobs, where the cluster has accounting. Null = nothing is known. */
async function askAccounting(engineId: string): Promise<string[] | null> {
  const format = '--format=JobID,State,NodeList'
  const args = ['--noheader', '--parsable2', '--allocations', `--jobs=${engineId}`, format]
  const output = await slurm('sacct', args).catch(() => '')
  const lines = output.split('\n').flatMap((line) => {
    const [id = '', state = '', nodes = ''] = line.split('|')
    const [, number] = /_(\d+)$/.exec(id) ?? []
    return number ? [`${number}|${state.split(' ')[0]}|${nodes}|None`] : []
  })
  return lines.length > 0 ? lines : null
}

function ignoreUnknown(error: unknown): void {
  if (!/invalid job id|job not found/i.test((error as Error).message)) throw error
}

const STATES = new Map<string, EngineShard['state']>([
  ...[
    'PENDING',
    'CONFIGURING',
    'SUSPENDED',
    'REQUEUED',
    'REQUEUE_HOLD',
    'SPECIAL_EXIT',
    'STOPPED',
  ].map((word) => [word, 'waiting'] as const),
  ...['RUNNING', 'COMPLETING', 'STAGE_OUT', 'SIGNALING'].map((word) => [word, 'running'] as const),
  ['COMPLETED', 'done'],
  ...[
    'FAILED',
    'TIMEOUT',
    'NODE_FAIL',
    'OUT_OF_MEMORY',
    'BOOT_FAIL',
    'DEADLINE',
    'CANCELLED',
    'PREEMPTED',
  ].map((word) => [word, 'given-up'] as const),
])

function describe(lines: readonly string[] | null, shards: number): EngineLook {
  if (lines === null)
    return { isOver: true, reason: 'the job is no longer known to Slurm', shards: [] }
  const known = new Map(lines.map(readLine).map((one) => [one.number, one]))
  const all = [...known.values()].filter(({ number }) => number >= 1 && number <= shards)
  return {
    isOver: all.every(({ state }) => state === 'done' || state === 'given-up'),
    reason: null,
    shards: all,
  }
}

function readLine(line: string): EngineShard {
  const [index = '', word = '', nodes = '', why = ''] = line.split('|')
  const state = STATES.get(word)
  if (!/^\d{1,6}$/.test(index) || state === undefined)
    throw new EngineFailure(`Slurm gave an answer that makes no sense: ${line.slice(0, 100)}`)
  return { number: Number(index), state, host: nodes || null, reason: reasonOf(state, word, why) }
}

function reasonOf(state: EngineShard['state'], word: string, why: string): string | null {
  const reason = why === '' || why === 'None' ? null : why
  if (state === 'done') return null
  return state === 'given-up' ? `Slurm: ${word}${reason === null ? '' : ` (${reason})`}` : reason
}

function readJobId(text: string): string {
  if (/^\d{1,12}$/.test(text)) return text
  throw new EngineFailure(`Slurm gave an answer that makes no sense: job ${text.slice(0, 60)}`)
}

const MAX_MS = 30_000

/**
 * Runs one of Slurm's commands. It gets this process's environment, which may contain SLURM_CONF and PATH; keys were
 * removed from it.
 */
async function slurm(program: string, args: readonly string[]): Promise<string> {
  const ended = await execa(program, args, {
    reject: false,
    timeout: MAX_MS,
    stdin: 'ignore',
    maxBuffer: 16 * 1024 * 1024,
  })
  if (ended.exitCode === 0) return ended.stdout
  if (ended.code === 'ENOENT')
    throw new EngineFailure(`${program} is not installed on this machine`, { isFinal: true })
  const why = ended.timedOut ? 'it does not respond' : ended.stderr || `exit code ${ended.exitCode}`
  throw new EngineFailure(`${program}: ${why}`)
}
