import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { buildProgram } from '#runner/cli/main.ts'
import { isRunnerError } from '#runner/runner-error.ts'
import type { CiStep, CiWorkflow, WorkflowJob } from './read-workflows.ts'

/** A rule for workflows beyond GitHub's grammar; `find` returns its violations. */
type Rule = { name: string; find: (workflow: CiWorkflow) => string[] }

const PINNED = /^\s*-?\s*uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
const LOCAL = /^\s*-?\s*uses: \.\/\.github\/workflows\/[\w-]+\.yml$/
const ALLOWED = ['contents: read', 'id-token: write']
/** Commands that prepare a machine for the sandbox: exactly these lines. */
const MACHINE_LINES = [
  'sudo apt-get update',
  'sudo apt-get install --yes --no-install-recommends bubblewrap',
  'sudo sysctl --ignore --write kernel.apparmor_restrict_unprivileged_userns=0',
]
/** The line that runs tests as root on an unprepared machine. */
const ROOT_LINES = [
  'sudo env "PATH=$PATH" "PROOFBOARD_TEST_UNPREPARED=$MACHINE" npm test -- --only unprepared',
]
/** Commands with which a job stores the published board: exactly these lines. */
const PUBLISH_LINES = [
  'git add -- results README.md',
  'git -c user.name=proofboard -c user.email=proofboard@users.noreply.github.com commit --allow-empty --message "Update the leaderboard"',
  'git push',
]

/** Commands with which a job publishes the package: exactly these lines. */
const PACKAGE_LINES = [
  'npm run pack -- --name "$NAME" --out package',
  'npm install --global npm@11.6.2',
  'npm publish ./package/*.tgz --provenance --access public',
]

/** Output of the job that registered the plan. */
const REGISTERED = `$\{{ needs.register.outputs.registration }}`

export const RULES: readonly Rule[] = [
  {
    name: 'no expression inside a script',
    find: (workflow) =>
      steps(workflow).flatMap(({ place, step }) => (step.run?.includes('${{') ? [place] : [])),
  },
  {
    name: 'a script is one line: npm, or one command of ours',
    find: (workflow) =>
      steps(workflow).flatMap(({ place, job, step: { run } }) =>
        run === undefined ||
        [...MACHINE_LINES, ...ROOT_LINES].includes(run) ||
        (publishes(job) && PUBLISH_LINES.includes(run)) ||
        (packs(job) && PACKAGE_LINES.includes(run)) ||
        /^(npm (ci|test|run (check|test:all( -- --only "\$PROJECTS")?))|npx proofboard [^\n;|&`]+)$/.test(
          run.replace('$&', ''),
        )
          ? []
          : [place],
      ),
  },
  {
    name: 'permissions are said, and as few as these',
    find: (workflow) => [
      ...(workflow.permissions === undefined
        ? ['the workflow']
        : tooMuch('the workflow', workflow.permissions)),
      ...jobs(workflow).flatMap(({ name, job }) =>
        tooMuch(name, job.permissions ?? {}, [
          ...(publishes(job) ? ['contents: write'] : []),
          ...(deploys(job) ? ['pages: write'] : []),
        ]),
      ),
    ],
  },
  {
    name: 'only jobs that submit, that call one, that deploy a page or the package may request an identity',
    find: (workflow) =>
      jobs(workflow).flatMap(({ name, job }) => {
        const mayTell = [job.permissions, workflow.permissions].some((one) =>
          JSON.stringify(one ?? {}).includes('id-token'),
        )
        const handsIn = job.steps.some(({ run = '' }) => isHandIn(run) || isWork(run))
        const calls = job.uses === './.github/workflows/benchmark.yml'
        return mayTell && !handsIn && !calls && !deploys(job) && !packs(job) ? [name] : []
      }),
  },
  {
    name: 'jobs that submit wait for their environment',
    find: (workflow) =>
      jobs(workflow).flatMap(({ name, job }) => {
        const handsIn = job.steps.some(({ run = '' }) => isHandIn(run) || isWork(run))
        return handsIn && job.environment === undefined ? [name] : []
      }),
  },
  {
    name: 'a run that waits for a registration names it',
    find: (workflow) =>
      steps(workflow).flatMap(({ place, job, step: { run = '', env } }) =>
        run.startsWith('npx proofboard run ') &&
        job.needs.includes('register') &&
        !(run.includes('--registration=') && env.REGISTRATION === REGISTERED)
          ? [place]
          : [],
      ),
  },
  {
    name: 'every job has a time limit',
    find: (workflow) =>
      jobs(workflow).flatMap(({ name, job }) =>
        job.uses === undefined && job['timeout-minutes'] === undefined ? [name] : [],
      ),
  },
  {
    name: 'actions are pinned by commit, with the version beside it',
    find: ({ text }) =>
      text
        .split('\n')
        .filter((line) => /^\s*-?\s*uses:/.test(line) && !PINNED.test(line) && !LOCAL.test(line)),
  },
  {
    name: 'a checkout leaves no credentials behind',
    find: (workflow) =>
      steps(workflow).flatMap(({ place, job, step }) =>
        !publishes(job) &&
        step.uses?.startsWith('actions/checkout@') &&
        step.with['persist-credentials'] !== false
          ? [place]
          : [],
      ),
  },
  {
    name: 'secrets reach only the steps that run or submit',
    find: (workflow) => findSecrets(workflow),
  },
  {
    name: 'an outsider starts no job that has a secret',
    find: (workflow) => {
      const open = ['pull_request_target', 'workflow_run', 'issue_comment', 'issues']
      const bad = Object.keys(workflow.on).filter((name) => open.includes(name))
      const fork = 'pull_request' in workflow.on && /secrets\.|id-token/.test(workflow.text)
      return [...bad, ...(fork ? ['pull_request'] : [])]
    },
  },
  {
    name: 'one at a time',
    find: ({ concurrency }) => (concurrency ? [] : ['the workflow']),
  },
]

function jobs(workflow: CiWorkflow): { name: string; job: WorkflowJob }[] {
  return Object.entries(workflow.jobs).map(([name, job]) => ({ name, job }))
}

function steps(workflow: CiWorkflow): { place: string; job: WorkflowJob; step: CiStep }[] {
  return jobs(workflow).flatMap(({ name, job }) =>
    job.steps.map((step, index) => ({ place: `${name}, step ${index + 1}`, job, step })),
  )
}

/** True for a job that makes the static board and commits it; it runs nothing that it measures. */
function publishes({ steps: all }: WorkflowJob): boolean {
  const runs = (start: string) => all.some(({ run = '' }) => run.startsWith(start))
  return runs('npx proofboard publish ') && !runs('npx proofboard run ')
}

/** True for a job that publishes the package: by hand, from a tag, and nothing else. */
function packs({ steps: all, if: when }: WorkflowJob): boolean {
  const others = all.filter(({ run }) => run !== undefined && !PACKAGE_LINES.includes(run))
  return when === "github.ref_type == 'tag'" && others.length === 0
}

/** True for a job that only deploys a finished site to Pages. */
function deploys({ steps: all, environment }: WorkflowJob): boolean {
  const isAlone = all.length === 1 && all[0]?.uses?.startsWith('actions/deploy-pages@') === true
  return isAlone && environment === 'github-pages'
}

function tooMuch(
  place: string,
  permissions: WorkflowJob['permissions'],
  more: readonly string[] = [],
): string[] {
  if (typeof permissions === 'string') return [`${place}: ${permissions}`]
  return Object.entries(permissions ?? {})
    .map(([scope, level]) => `${scope}: ${level}`)
    .filter((one) => ![...ALLOWED, ...more].includes(one))
    .map((one) => `${place}: ${one}`)
}

/** True for a command that sends a plan or its results to a board. */
function isHandIn(run: string): boolean {
  return /^npx proofboard (submit|plan --register) /.test(run)
}

/** True for a command that runs a shard and reports its progress to a board. */
function isWork(run: string): boolean {
  return run.startsWith('npx proofboard work ')
}

/** Only a run may get a provider's key, and only a submission the upload token. */
function findSecrets(workflow: CiWorkflow): string[] {
  const allowed = steps(workflow).flatMap(({ step: { run = '', env } }) =>
    Object.entries(env).flatMap(([name, value]) => {
      const runs = run.startsWith('npx proofboard run ') || isWork(run)
      const isKey = runs && isProviderKey(name)
      const isToken = isHandIn(run) && name === 'PROOFBOARD_TOKEN'
      return isKey || isToken ? mentions(String(value)) : []
    }),
  )
  const passed = jobs(workflow).flatMap(({ job }) =>
    job.uses === undefined ? [] : mentions(JSON.stringify(job.secrets ?? {})),
  )
  const rest = mentions(workflow.text)
  for (const one of [...allowed, ...passed]) rest.splice(rest.indexOf(one), 1)
  // The benchmark's own steps are checked like all others.
  const inherits = jobs(workflow).filter(
    ({ job }) => job.secrets === 'inherit' && job.uses !== './.github/workflows/benchmark.yml',
  )
  return [...rest, ...inherits.map(({ name }) => `${name}: inherit`)]
}

/** True for the key of a model provider; cloud providers call theirs a token. */
export function isProviderKey(name: string): boolean {
  return /^(?!PROOFBOARD_)[A-Z][A-Z0-9_]*(_API_KEY|_ACCESS_TOKEN|_TOKEN_BEDROCK)$/.test(name)
}

function mentions(text: string): string[] {
  return text.match(/secrets\.\w+/g) ?? []
}

// Replaces the command: writes its arguments to a file, separated by NUL.
const LISTEN = 'npx() { printf "%s\\0" "$@" > "$SEEN"; }\n'

/**
 * Returns the arguments that a `run` line passes to `npx`, as bash expands them in this environment; nothing is run.
 * Throws bash's message if it cannot parse the line.
 */
export function expandLine(line: string, env: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-line-'))
  const seen = join(folder, 'seen')
  const given = {
    PATH: '',
    SEEN: seen,
    GITHUB_OUTPUT: '/dev/null',
    GITHUB_STEP_SUMMARY: '/dev/null',
  }
  try {
    const { status, stderr } = spawnSync(
      '/bin/bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `${LISTEN}${line}`],
      { cwd: folder, env: { ...given, ...env } as unknown as NodeJS.ProcessEnv, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`bash does not run "${line}": ${stderr.trim()}`)
    return readFileSync(seen, 'utf8').split('\0').slice(0, -1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Why the command line would reject these arguments; null = it accepts them. No command is run. */
export async function refusalOf(words: readonly string[]): Promise<string | null> {
  const program = buildProgram()
  let reached = false
  eachCommand(program, (command) => {
    // A command with others below it runs by itself if it takes arguments.
    if (command.commands.length === 0 || command.registeredArguments.length > 0)
      command.action(() => {
        reached = true
      })
  })
  try {
    await program.parseAsync([...words], { from: 'user' })
    return reached ? null : 'no command was named'
  } catch (error) {
    if (error instanceof CommanderError || isRunnerError(error, 'usage')) return error.message
    throw error
  }
}

function eachCommand(command: Command, act: (command: Command) => void): void {
  act(command)
  for (const child of command.commands) eachCommand(child, act)
}
