import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Settings, settingsSchema } from '#lib/domain/settings/index.ts'
import { findProxy } from '#lib/outgoing/proxy.ts'
import { explainDataFolder, explainSuites, explainTemporaryFolder } from '#lib/setup/folders.mjs'
import { findChromium } from '../browser/find-chromium.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { listSuiteLocations } from '../kinds/find-suite.ts'
import { describeHostNetwork, readHostNetwork } from '../repository/host-network.ts'
import { usageError } from '../runner-error.ts'
import {
  chooseIsolation,
  describeIsolation,
  findStrongest,
} from '../sandbox/isolation/choose-isolation.ts'
import { local } from '../sandbox/isolation/local.ts'
import { suggestSandbox } from '../sandbox/isolation/suggest-sandbox.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import { printJsonResult, printResult } from './output.ts'
import { checkKeyedProviders } from './providers-command.ts'

/** `ok`: works. `warn`: missing, or entries will not be ranked. `fail`: no episode can run until it is fixed. */
type Status = 'ok' | 'warn' | 'fail'
/** `fix` is a command for a person to run. */
type Finding = { check: string; status: Status; detail: string; fix?: string }
type Facts = Omit<Finding, 'check'>

const LABELS: Record<Status, string> = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

type Options = { json?: boolean; only?: string[] }

/** `proofboard doctor`: checks whether this machine can run episodes; exits with 1 if a check fails. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine: versions, isolation, disk, suites; exits with 1 on FAIL')
    .option('--only <check>', 'run only this check; can be repeated', (one, all: string[] = []) => [
      ...all,
      one,
    ])
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(async ({ only, json }: Options) => {
      const findings = await examine(only ?? null)
      const hasFailed = findings.some(({ status }) => status === 'fail')
      if (json)
        printJsonResult({
          ok: !hasFailed,
          findings: findings.map((one) => ({ ...one, ok: one.status !== 'fail' })),
        })
      else for (const finding of findings) printResult(toLine(finding))
      if (hasFailed) process.exitCode = 1
    })
}

function toLine({ check, status, detail, fix }: Finding): string {
  const line = `${LABELS[status]} ${check.padEnd(22)} ${detail}`
  return fix === undefined ? line : `${line}. To fix it: ${fix}`
}

async function examine(only: readonly string[] | null): Promise<Finding[]> {
  const names = Object.keys(CHECKS)
  const unknown = only?.find((one) => !names.includes(one))
  if (unknown !== undefined)
    throw usageError(`there is no check "${unknown}": use one of ${names.join(', ')}`, '--only')
  const findings: Finding[] = []
  for (const [check, look] of Object.entries(CHECKS)) {
    if (only !== null && !only.includes(check)) continue
    const found = await look().catch((error: Error) => fail(error.message))
    findings.push(...[found].flat().map((one) => ({ check, ...one })))
  }
  return findings
}

const ok = (detail: string): Facts => ({ status: 'ok', detail })
const warn = (detail: string): Facts => ({ status: 'warn', detail })
const fail = (detail: string): Facts => ({ status: 'fail', detail })

/** In display order. */
const CHECKS: Record<string, () => Promise<Facts | Finding[]>> = {
  node: checkNode,
  packages: checkPackages,
  grading: checkGrading,
  harness: checkHarness,
  'process control': checkProcesses,
  ...Object.fromEntries(
    settingsSchema.shape.isolation.options.map((level) => [
      `--isolation ${level}`,
      () => checkLevel(level),
    ]),
  ),
  'default isolation': checkDefault,
  chromium: checkChromium,
  proxy: checkProxy,
  'set-up network': async () => ok(describeHostNetwork(await readHostNetwork())),
  providers: checkProviders,
  'temporary disk': async () => checkDisk(tmpdir(), explainTemporaryFolder()),
  'data disk': async () => checkDisk(ownFolder(), explainDataFolder(dataFolder(RUNNER_ENV))),
  suites: checkSuites,
}

async function checkNode(): Promise<Facts> {
  const { version } = nodeProgram() // Bun would have rejected one that is too old
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  const under = process.versions.bun ? `, under Bun ${process.versions.bun}` : ''
  const detail = `${version}${under}, needed: 20.19 or newer`
  return major > 20 || (major === 20 && minor >= 19) ? ok(detail) : fail(detail)
}

async function checkPackages(): Promise<Facts> {
  const { libraries } = await resolveEnvironment(await local.record())
  const detail = Object.entries(libraries)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
  return Object.values(libraries).includes('unknown') ? fail(detail) : ok(detail)
}

/** Starts the verifier as a run would, to see where solutions are graded here. */
async function checkGrading(): Promise<Facts> {
  const created = createVerifier()
  try {
    await created.ready()
    const { verifier, weakness } = await created.describe()
    if (weakness !== null) return warn(weakness)
    return ok(`solutions run in ${verifier.sandbox}, network: ${verifier.network}`)
  } finally {
    await created.close()
  }
}

async function checkHarness(): Promise<Facts> {
  const { version, commit, dirty } = (await resolveEnvironment(await local.record())).harness
  if (commit === null) return warn(`${version}, no git checkout: entries will not be ranked`)
  const detail = `${version} at ${commit.slice(0, 12)}`
  return dirty ? warn(`${detail}, uncommitted changes: entries will not be ranked`) : ok(detail)
}

async function checkProcesses(): Promise<Facts> {
  if (process.platform === 'win32') return fail('Windows is not supported: use WSL')
  const source = existsSync('/proc/self/environ') ? '/proc' : 'ps'
  return ok(`trees are found through ${source}`)
}

/** A plan that requires a missing level is refused with the same sentence. */
async function checkLevel(level: Settings['isolation']): Promise<Facts> {
  const isolation = chooseIsolation(level)
  const refusal = await isolation.available()
  if (refusal !== null) return warn(`not on this machine: ${refusal}`)
  const { tools, containerImageDigest } = await isolation.record()
  const facts = Object.entries(tools).map(([name, version]) => `${name} ${version}`)
  const image = containerImageDigest === null ? [] : [`image ${containerImageDigest}`]
  return ok(['ready', ...facts, ...image].join(', '))
}

/** The default level for agents. */
async function checkDefault(): Promise<Facts> {
  const { level, missing } = await findStrongest()
  const detail = (await describeIsolation(level, 'auto')).replace(/^isolation: /, '')
  if (level !== 'local') return ok(detail)
  const refusal = missing.find((one) => one.level === 'bubblewrap')?.refusal ?? ''
  const fix = suggestSandbox(refusal)
  return { ...warn(detail), ...(fix !== null && { fix }) }
}

/** Only browser suites need one. */
async function checkChromium(): Promise<Facts> {
  return findChromium(RUNNER_ENV).then(
    ({ version, path }) => ok(`${version}, ${path}`),
    (error: Error) => warn(error.message),
  )
}

/** The proxy for most hosts: providers, boards, GitHub. */
async function checkProxy(): Promise<Facts> {
  const proxy = findProxy(new URL('https://provider.example'), RUNNER_ENV)
  return ok(
    proxy
      ? `other hosts, such as providers and boards, are reached through ${proxy.shown} (${proxy.variable})`
      : 'none',
  )
}

/** An unreachable provider blocks only its own runs, which are refused with the same sentence. */
async function checkProviders(): Promise<Finding[]> {
  const checked = await checkKeyedProviders()
  return checked.map((one) => ({
    check: `${one.name} ${one.protocol}`,
    ...(one.ok ? ok(one.detail) : warn(one.detail)),
  }))
}

function ownFolder(): string {
  const folder = dataFolder(RUNNER_ENV)
  return existsSync(folder) ? folder : PROJECT_ROOT
}

function checkDisk(folder: string, problem: string | null): Facts {
  if (problem !== null) return fail(problem)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB free, needed: 1 GiB`
  return free > 1 << 30 ? ok(detail) : fail(detail)
}

async function checkSuites(): Promise<Facts> {
  const problem = explainSuites(join(PROJECT_ROOT, 'exercises'))
  if (problem !== null) return fail(problem)
  const names = listSuiteLocations(dataFolder(RUNNER_ENV)).map(({ suiteId }) => suiteId)
  return names.length === 0 ? fail('none found') : ok(names.join(', '))
}
