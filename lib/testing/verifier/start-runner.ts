import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { exerciseInput, oneTest } from './exercise-input.ts'

/** Starts a runner in its own process, bundled like the CLI. It evaluates one solution, or only waits. */
export async function startRunner(solution: string | null): Promise<ChildProcess> {
  const folder = mkdtempSync(join(PROJECT_ROOT, 'node_modules', '.cache', 'gate-test-'))
  const input =
    solution === null
      ? null
      : exerciseInput({
          solution,
          test: oneTest('answer', 'expect(answer()).toBe(42)'),
          timeoutMs: 60_000,
        })
  const entry = join(folder, 'entry.ts')
  writeFileSync(
    entry,
    `import { createVerifier } from ${JSON.stringify(join(PROJECT_ROOT, 'runner/verify/exercise/create-verifier.ts'))}
const verifier = createVerifier()
const input = ${JSON.stringify(input)}
setInterval(() => {}, 1000)
if (input) void verifier.evaluate(input)
`,
  )
  const outfile = join(folder, 'runner.mjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  const runner = spawn(process.execPath, [outfile], { stdio: 'inherit', cwd: '/' })
  runner.once('exit', () => rmSync(folder, { recursive: true }))
  return runner
}

/** Returns pids of the test processes that a runner started, including sandboxes around them (Linux). */
export function testProcessesOf(runner: number): number[] {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return all.filter((pid) => isTestProcess(pid) && descendsFrom(pid, runner))
}

function descendsFrom(pid: number, ancestor: number): boolean {
  for (let one = parentOf(pid); one > 1; one = parentOf(one)) if (one === ancestor) return true
  return false
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function isTestProcess(pid: number): boolean {
  try {
    return (
      isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('gate-child.js')
    )
  } catch {
    return false
  }
}

export const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}
