import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canonicalJson, digestBytes } from '#lib/domain/digest/index.ts'
import { HARBOR_FILES, writeHarborTask } from '#runner/harbor/harbor-task.fixture.ts'

/** Words of the tasks; each task asks for its word in lower case. */
export const HARBOR_WORDS: Readonly<Record<string, string>> = {
  greet: 'HELLO',
  fruit: 'APPLE',
  metal: 'IRON',
  river: 'RHINE',
}

/** Writes a folder of small tasks in Harbor's format and returns it. */
export function writeHarborTasks(parent: string): string {
  for (const [name, word] of Object.entries(HARBOR_WORDS))
    writeHarborTask(
      parent,
      {
        'task.toml': (HARBOR_FILES['task.toml'] ?? '').replace('hello', word.toLowerCase()),
        'environment/word.txt': `${word}\n`,
      },
      name,
    )
  return parent
}

/** The configuration of a job, as its user writes it. */
export const HARBOR_JOB = {
  n_attempts: 3,
  agents: [
    { name: 'terminus-2', model_name: 'anthropic/claude-sonnet-5', kwargs: { max_turns: 20 } },
  ],
  datasets: [{ path: 'greetings' }],
  artifacts: ['/app'],
}

export type MadeJob = {
  jobName: string
  /** When the first trial starts. */
  at: Date
  agent?: string
  version?: string
  attempts?: number
  /** True for solved attempts; absent = all are. */
  isSolved?: (task: string, attempt: number) => boolean
}

/** Texts of a job folder, by path. */
export type JobFiles = Record<string, string>

const json = (value: unknown) => `${JSON.stringify(value, null, 4)}\n`
const uuid = (seed: string) =>
  digestBytes(seed).replace(/^sha256:(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

/** Makes the files of a job folder in the shape of Harbor 0.24, by path. */
export function makeHarborJob(made: MadeJob): JobFiles {
  const { jobName, at, agent = 'terminus-2', attempts = HARBOR_JOB.n_attempts } = made
  const time = (seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString()
  const id = uuid(jobName)
  const own = { ...HARBOR_JOB.agents[0], name: agent }
  const agentConfig = { ...AGENT_DEFAULTS, ...own }
  const names = Object.keys(HARBOR_WORDS)
  const slots = names.flatMap((task, place) =>
    Array.from({ length: attempts }, (_, index) => ({ task, attempt: index + 1, place })),
  )
  const files: JobFiles = {
    'config.json': json({
      ...JOB_DEFAULTS,
      ...HARBOR_JOB,
      job_name: jobName,
      n_attempts: attempts,
      agents: [agentConfig],
      datasets: [{ path: 'greetings', name: null, task_names: null }],
    }),
    'lock.json': json({
      schema_version: 1,
      created_at: time(0),
      harbor: { version: '0.24.0', git_commit_hash: null, is_editable: false },
      n_concurrent_trials: 4,
    }),
    'result.json': json({
      id,
      started_at: time(0),
      finished_at: time(9),
      n_total_trials: slots.length,
      stats: { n_completed_trials: slots.length, n_errored_trials: 0, n_retries: 0, evals: {} },
    }),
  }
  for (const slot of slots) {
    const trial = makeTrial(slot, { ...made, agentConfig, id, time })
    for (const [path, text] of Object.entries(trial.files)) files[`${trial.name}/${path}`] = text
  }
  return files
}

const AGENT_DEFAULTS = {
  name: null,
  import_path: null,
  model_name: null,
  skills: [],
  override_timeout_sec: null,
  max_timeout_sec: null,
  kwargs: {},
  env: {},
  mcp_servers: [],
}
const JOB_DEFAULTS = {
  jobs_dir: 'jobs',
  timeout_multiplier: 1.0,
  agent_timeout_multiplier: null,
  debug: false,
  n_concurrent_trials: 4,
  quiet: false,
  retry: { max_retries: 0, include_exceptions: null, wait_multiplier: 1.0 },
  environment: {
    type: 'docker',
    import_path: null,
    delete: true,
    force_build: false,
    mounts: null,
  },
  verifier: { override_timeout_sec: null, env: {}, disable: false },
  metrics: [],
  tasks: [],
  extra_instruction_paths: [],
}

type Slot = { task: string; attempt: number; place: number }
type Around = MadeJob & { agentConfig: object; id: string; time: (seconds: number) => string }

function makeTrial(
  { task, attempt, place }: Slot,
  { isSolved = () => true, version = '2.0.1', agentConfig, id, time, jobName, ...made }: Around,
): { name: string; files: JobFiles } {
  const { agent = 'terminus-2' } = made
  const name = `${task}__${digestBytes(`${jobName} ${task} ${attempt}`).slice(-7)}`
  const solved = isSolved(task, attempt)
  const start = 1 + place * 0.5 + attempt * 0.2
  const phase = (from: number, to: number) => ({
    started_at: time(start + from),
    finished_at: time(start + to),
  })
  const config = {
    task: { path: `greetings/${task}`, git_url: null, name: null, source: 'greetings' },
    trial_name: name,
    trials_dir: `jobs/${jobName}`,
    timeout_multiplier: 1.0,
    agent: agentConfig,
    environment: JOB_DEFAULTS.environment,
    verifier: JOB_DEFAULTS.verifier,
    artifacts: ['/app'],
    job_id: id,
  }
  const reward = solved ? 1 : 0
  const word = (HARBOR_WORDS[task] ?? '').toLowerCase()
  const tokens = { prompt_tokens: 900 + attempt, completion_tokens: 40 + place, cost_usd: 0.01 }
  const trajectory = {
    schema_version: 'ATIF-v1.4',
    session_id: uuid(`${name} session`),
    agent: { name: agent, version, model_name: 'anthropic/claude-sonnet-5' },
    steps: [
      {
        step_id: 1,
        timestamp: time(start + 0.4),
        source: 'user',
        message: `You are in a terminal.\n\n${HARBOR_FILES['instruction.md']}`,
      },
      {
        step_id: 2,
        timestamp: time(start + 1),
        source: 'agent',
        model_name: 'claude-sonnet-5',
        message: solved ? 'Done.' : 'I cannot.',
        tool_calls: [{ tool_call_id: 'c1', function_name: 'bash', arguments: {} }],
        metrics: tokens,
      },
    ],
    final_metrics: {
      total_prompt_tokens: tokens.prompt_tokens,
      total_completion_tokens: tokens.completion_tokens,
      total_cost_usd: tokens.cost_usd,
    },
  }
  const result = {
    id: uuid(name),
    task_name: task,
    trial_name: name,
    trial_uri: `file:///jobs/${jobName}/${name}`,
    task_id: { path: `greetings/${task}` },
    source: 'greetings',
    task_checksum: taskChecksum(task),
    config,
    agent_info: {
      name: agent,
      version,
      model_info: { name: 'claude-sonnet-5', provider: 'anthropic' },
    },
    agent_result: {
      n_input_tokens: tokens.prompt_tokens,
      n_cache_tokens: 0,
      n_output_tokens: tokens.completion_tokens,
      cost_usd: tokens.cost_usd,
    },
    verifier_result: { rewards: { reward } },
    exception_info: null,
    started_at: time(start),
    finished_at: time(start + 2),
    environment_setup: phase(0.1, 0.2),
    agent_setup: phase(0.2, 0.3),
    agent_execution: phase(0.3, 1.2),
    verifier: phase(1.3, 1.9),
  }
  return {
    name,
    files: {
      'config.json': json(config),
      'result.json': json(result),
      'trial.log': `trial ${name}\n`,
      'agent/trajectory.json': json(trajectory),
      'verifier/reward.txt': `${reward}\n`,
      'verifier/test-stdout.txt': `${solved ? 'right' : 'wrong'} word\n`,
      'artifacts/manifest.json': json([
        {
          source: '/logs/artifacts',
          destination: 'artifacts/logs/artifacts',
          type: 'directory',
          status: 'empty',
        },
        {
          source: '/app',
          destination: 'artifacts/app',
          type: 'directory',
          status: 'ok',
          service: null,
        },
      ]),
      'artifacts/app/word.txt': `${HARBOR_WORDS[task]}\n`,
      ...(solved ? { 'artifacts/app/greet.txt': `${word}\n` } : {}),
    },
  }
}

/** Stands for Harbor's checksum of a task, which is the same wherever the task is. */
export function taskChecksum(task: string): string {
  return digestBytes(canonicalJson(['checksum', task])).slice('sha256:'.length)
}

/** Writes files into a folder. */
export function writeFiles(folder: string, files: JobFiles): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
