import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSchema } from '#lib/domain/record/bundle.ts'
import type { Bundle, Episode } from '#lib/domain/record/index.ts'
import { writeFakeAgent } from '../../factories/fake-agent.ts'
import { startProofboard, temporarySuite } from '../../factories/proofboard-command.ts'

/** The suite of the attacked board: two of the shipped exercises. */
export const SUITE = 'claims'
export const TASKS = ['lru-cache', 'interval-set'] as const
/** Ten episodes, the minimum for an aggregate. */
export const REPETITIONS = 5
const PINS = 'max-steps=50,max-tokens=500000,max-cost=2,temperature=provider-fixed,timeout=120'

/** One real attempt: its envelope, and its evidence files as text by path. */
export type RealAttempt = { episode: Episode; files: Readonly<Record<string, string>> }
export type RealAttempts = {
  /** A whole run as it was sealed. */
  bundle: Bundle
  folder: string
  /** Attempts that solved the task and attempts that left the stub, by task and repetition. */
  solved: ReadonlyMap<string, readonly RealAttempt[]>
  failed: ReadonlyMap<string, readonly RealAttempt[]>
}

/**
 * Measures an agent that calls a scripted model once and then works honestly, and one that calls it and leaves the
 * stub; both in bubblewrap behind the gateway. `onPlan` gets the honest plan before its first episode.
 */
export async function makeRealAttempts(
  dataDir: string,
  onPlan: (planFile: string, runId: string) => Promise<void>,
): Promise<RealAttempts> {
  temporarySuite(dataDir, SUITE, TASKS)
  chmodSync(dataDir, 0o755) // the agent may be another user
  const honest = await runAgent(dataDir, { solves: true, repetitions: REPETITIONS, onPlan })
  const lazy = await runAgent(dataDir, { solves: false, repetitions: 1 })
  const solved = readAttempts(honest)
  const failed = readAttempts(lazy)
  for (const [wanted, attempts] of [
    ['solved', solved],
    ['unsolved', failed],
  ] as const)
    for (const { episode } of [...attempts.values()].flat())
      if (episode.outcome.status !== wanted)
        throw new Error(`${episode.taskId} had to be ${wanted}: ${JSON.stringify(episode.outcome)}`)
  return { ...honest, solved, failed }
}

type Asked = {
  solves: boolean
  repetitions: number
  onPlan?: (planFile: string, runId: string) => Promise<void>
}

async function runAgent(dataDir: string, { solves, repetitions, onPlan }: Asked) {
  const folder = mkdtempSync(join(dataDir, 'agent-'))
  const definition = writeAgent(folder, solves)
  const plan = join(folder, 'plan.json')
  const asks = [
    ...['--suite', SUITE, '--agent-file', definition, '--pins', PINS],
    ...['--provider', 'scripted', '--model', 'scripted-1', '--isolation', 'bubblewrap'],
  ]
  await command(dataDir, ['plan', ...asks, '--repetitions', String(repetitions), '--out', plan])
  const runId = `run_real${solves ? 'honest' : 'idle'}0001`
  await onPlan?.(plan, runId)
  const out = join(dataDir, 'made', runId)
  const script = join(folder, 'script.json')
  writeFileSync(script, JSON.stringify(SCRIPT))
  await command(dataDir, [
    ...['run', '--plan', plan, '--agent-file', definition, '--script', script],
    ...['--run-id', runId, '--out', out, '--json'],
  ])
  const bundle = bundleSchema.parse(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  return { bundle, folder: out }
}

/** Enough tokens that two attempts with equal counts are recognised as copies. */
const SCRIPT = { turns: [{ say: 'I write it down.', usage: { input: 4211, output: 977 } }] }

const ASK = `
const { ECHO_URL, ECHO_KEY } = process.env
const body = { model: "scripted-1", max_tokens: 9, messages: [{ role: "user", content: "x" }] }
const headers = { "x-api-key": ECHO_KEY, "anthropic-version": "2023-06-01", "content-type": "application/json" }
fetch(ECHO_URL + "/v1/messages", { method: "POST", headers, body: JSON.stringify(body) })
  .then((answer) => answer.text())
  .then((text) => console.log(new Date().toISOString(), text, "-".repeat(1000)))
`

/** Defines an agent that calls its model once and then writes a prepared solution, or nothing. */
function writeAgent(folder: string, solves: boolean): string {
  const writes = TASKS.map((task) => {
    const solution = readFileSync(`exercises/typescript/${task}/.meta/honest/author-a.ts`, 'utf8')
    return `if [ -e ${task}.ts ]; then cat > ${task}.ts <<'END-OF-SOLUTION'\n${solution}\nEND-OF-SOLUTION\nfi`
  })
  const own = join(folder, 'program')
  mkdirSync(own)
  chmodSync(folder, 0o755)
  return writeFakeAgent(own, [`node -e '${ASK}'`, ...(solves ? writes : [])].join('\n'))
}

async function command(dataDir: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await startProofboard(dataDir, args).ended
  // 1 = it ran, and some tasks are unsolved.
  if (code !== 0 && !(code === 1 && args[0] === 'run'))
    throw new Error(`proofboard ${args[0]} ended with ${code}: ${stderr.slice(-2000)}`)
}

function readAttempts({ bundle, folder }: { bundle: Bundle; folder: string }) {
  const found = new Map<string, RealAttempt[]>()
  for (const episode of bundle.episodes) {
    const { taskId, repetition, attempt } = episode
    const place = join(folder, 'episodes', taskId, `r${repetition}-a${attempt}`)
    const files = Object.fromEntries(
      episode.evidence.map(({ path }) => [path, readFileSync(join(place, path), 'utf8')]),
    )
    found.set(taskId, [...(found.get(taskId) ?? []), { episode, files }])
  }
  return found
}
