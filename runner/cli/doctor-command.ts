import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Settings, settingsSchema } from '#lib/domain/plan.ts'
import { createGate } from '../contracts/exercise/create-gate.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import { describeIsolation } from '../isolation/describe-isolation.ts'
import { findStrongest } from '../isolation/find-strongest.ts'
import { local } from '../isolation/local.ts'
import { nodeProgram } from '../process/node-program.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { resolveEnvironment } from '../resolve-environment.ts'
import { listSuitePlaces } from '../suites/find-suite.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { answer, answerJson } from './output.ts'

type Finding = { check: string; ok: boolean; detail: string }

/** `proofboard doctor`: is this machine fit to run episodes; exit 1 when something must be mended. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine: versions, disk, process control, suites')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(async (options: { json?: boolean }) => {
      const findings = await examine()
      if (options.json) answerJson({ ok: findings.every(({ ok }) => ok), findings })
      else
        for (const { check, ok, detail } of findings)
          answer(`${ok ? 'ok  ' : 'MEND'} ${check.padEnd(22)} ${detail}`)
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

/** Starts the verifier as a run would, to see where solutions are graded here. */
async function examineGrading(): Promise<Finding> {
  const gate = createGate()
  try {
    await gate.ready()
    const { verifier, weakness } = await gate.describe()
    const strongest = `solutions run in ${verifier.sandbox}, network: ${verifier.network}`
    return { check: 'grading', ok: true, detail: weakness ?? strongest }
  } catch (error) {
    return { check: 'grading', ok: false, detail: (error as Error).message }
  } finally {
    await gate.close()
  }
}

async function examine(): Promise<Finding[]> {
  const environment = await resolveEnvironment(await local.record())
  const { version } = nodeProgram() // one that is too old would have been refused under Bun
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  const unknown = Object.entries(environment.libraries).filter(
    ([, version]) => version === 'unknown',
  )
  return [
    {
      check: 'node',
      ok: major > 20 || (major === 20 && minor >= 19),
      detail: `${version}${process.versions.bun ? `, under Bun ${process.versions.bun}` : ''}, needed: 20.19 or newer`,
    },
    {
      check: 'packages',
      ok: unknown.length === 0,
      detail: Object.entries(environment.libraries)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    },
    await examineGrading(),
    { check: 'harness', ok: true, detail: describeHarness(environment.harness) },
    {
      check: 'process control',
      ok: process.platform !== 'win32',
      detail: existsSync('/proc/self/environ')
        ? 'trees are found through /proc'
        : 'trees are found through ps',
    },
    ...(await Promise.all(settingsSchema.shape.isolation.options.map(lookAtLevel))),
    await lookAtDefault(),
    disk('temporary disk', tmpdir()),
    disk('data disk', existsSync(dataFolder(OWN_ENV)) ? dataFolder(OWN_ENV) : PROJECT_ROOT),
    {
      check: 'suites',
      ok: existsSync(join(PROJECT_ROOT, 'exercises')),
      detail:
        listSuitePlaces(dataFolder(OWN_ENV))
          .map(({ suiteId }) => suiteId)
          .join(', ') || 'none found',
    },
  ]
}

/** A level this machine lacks is nothing to mend: a plan that asks for it is refused with the same sentence. */
async function lookAtLevel(level: Settings['isolation']): Promise<Finding> {
  const isolation = chooseIsolation(level)
  const refusal = await isolation.available()
  const check = `--isolation ${level}`
  if (refusal !== null) return { check, ok: true, detail: `not on this machine: ${refusal}` }
  const { tools, containerImageDigest } = await isolation.record()
  const facts = Object.entries(tools).map(([name, version]) => `${name} ${version}`)
  const image = containerImageDigest === null ? [] : [`image ${containerImageDigest}`]
  return { check, ok: true, detail: ['ready', ...facts, ...image].join(', ') }
}

/** Which level agents run at when nobody says one. */
async function lookAtDefault(): Promise<Finding> {
  const { level } = await findStrongest()
  const line = await describeIsolation(level, 'auto')
  return { check: 'default isolation', ok: true, detail: line.replace(/^isolation: /, '') }
}

function describeHarness({
  version,
  commit,
  dirty,
}: {
  version: string
  commit: string | null
  dirty: boolean | null
}): string {
  if (commit === null) return `${version}, no git checkout: entries will not be ranked`
  return `${version} at ${commit.slice(0, 12)}${dirty ? ', uncommitted changes: entries will not be ranked' : ''}`
}

function disk(check: string, folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  return {
    check,
    ok: free > 1 << 30,
    detail: `${(free / 2 ** 30).toFixed(1)} GiB free, needed: 1 GiB`,
  }
}
