import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Settings, settingsSchema } from '#lib/domain/record/index.ts'
import { ensureBrowser } from '#lib/setup/ensure-browser.mjs'
import { SetupFailure } from '#lib/setup/progress.mjs'
import { findChromium } from '../browser/find-chromium.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { findProxy } from '../gateway/upstream-proxy.ts'
import { placeError } from '../runner-error.ts'
import {
  chooseIsolation,
  describeIsolation,
  findStrongest,
} from '../sandbox/isolation/choose-isolation.ts'
import { buildImage } from '../sandbox/isolation/docker/build-image.ts'
import { listImages } from '../sandbox/isolation/docker/docker-client.ts'
import { local } from '../sandbox/isolation/local.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { listSuiteLocations } from '../suites/find-suite.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { checkKeyedProviders } from './providers-command.ts'

/** `warns`: it works, and less well than it could. */
type Finding = { check: string; ok: boolean; warns?: true; detail: string }

/** `proofboard doctor`: is this machine fit to run episodes; exit 1 when something must be fixed. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine: versions, disk, process control, suites')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(async (options: { json?: boolean }) => {
      const findings = await examine()
      if (options.json) printJsonResult({ ok: findings.every(({ ok }) => ok), findings })
      else
        for (const finding of findings)
          printResult(`${labelOf(finding)} ${finding.check.padEnd(22)} ${finding.detail}`)
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

const labelOf = ({ ok, warns }: Finding): string => (ok ? (warns ? 'WARN' : 'ok  ') : 'FAIL')

/** Starts the verifier as a run would, to see where solutions are graded here. */
async function examineGrading(): Promise<Finding> {
  const gate = createVerifier()
  try {
    await gate.ready()
    const { verifier, weakness } = await gate.describe()
    if (weakness !== null) return { check: 'grading', ok: true, warns: true, detail: weakness }
    const detail = `solutions run in ${verifier.sandbox}, network: ${verifier.network}`
    return { check: 'grading', ok: true, detail }
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
    lookAtProxy(),
    ...(await lookAtProviders()),
    disk('temporary disk', tmpdir()),
    disk('data disk', existsSync(dataFolder(RUNNER_ENV)) ? dataFolder(RUNNER_ENV) : PROJECT_ROOT),
    {
      check: 'suites',
      ok: existsSync(join(PROJECT_ROOT, 'exercises')),
      detail:
        listSuiteLocations(dataFolder(RUNNER_ENV))
          .map(({ suiteId }) => suiteId)
          .join(', ') || 'none found',
    },
  ]
}

/** A missing level needs no fix: a plan that requires it is refused with the same sentence. */
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

/** The proxy that is used for most providers. */
function lookAtProxy(): Finding {
  const check = 'proxy'
  try {
    const proxy = findProxy(new URL('https://provider.example'), RUNNER_ENV)
    const detail = proxy
      ? `providers are reached through ${proxy.shown} (${proxy.variable})`
      : 'none'
    return { check, ok: true, detail }
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message }
  }
}

/** One that cannot be reached blocks only its own runs, which are refused with the same sentence. */
async function lookAtProviders(): Promise<Finding[]> {
  try {
    const checked = await checkKeyedProviders()
    return checked.map(({ name, protocol, detail }) => ({
      check: `${name} ${protocol}`,
      ok: true,
      detail,
    }))
  } catch (error) {
    return [{ check: 'providers', ok: false, detail: (error as Error).message }]
  }
}

/** The default level for agents. */
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

/** `proofboard image`: the container image for `--isolation docker`. */
export function addImageCommand(program: Command): void {
  const image = program.command('image').description('the docker image for --isolation docker')
  image
    .command('build')
    .description('build the image and print its digest')
    .option(
      '--base <base>',
      'build on another image, by digest, or on "debootstrap": the distribution\'s own packages',
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(build)
  image
    .command('list')
    .description('list the images built on this machine')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
}

async function build({
  base = null,
  json,
}: {
  base?: string | null
  json?: boolean
}): Promise<void> {
  writeError('building the image, which may take some minutes')
  const digest = await buildImage({ base, cache: join(dataFolder(RUNNER_ENV), 'images') })
  if (json) printJsonResult({ digest, base })
  else printResult(digest)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const images = await listImages()
  if (json) printJsonResult({ images })
  else if (images.length === 0) printResult('none: proofboard image build')
  else
    for (const { digest, createdAt, size, used } of images)
      printResult(
        `${digest}  ${size.padStart(8)}  ${createdAt}${used ? '  used by the next run' : ''}`,
      )
}

type Options = { install?: boolean; json?: boolean }

/** `proofboard browser`: the Chromium that workflows run in. */
export function addBrowserCommand(program: Command): void {
  program
    .command('browser')
    .description('path and version of the Chromium for browser workflows')
    .option(
      '--install',
      "install the distribution's package when there is none (as root, or with PROOFBOARD_INSTALL_BROWSER=1)",
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute({ install, json }: Options): Promise<void> {
  if (install) await installed()
  const { path, version } = await findChromium(RUNNER_ENV)
  if (json) printJsonResult({ path, version })
  else printResult(`${version}\n${path}`)
}

async function installed(): Promise<void> {
  try {
    await ensureBrowser()
  } catch (error) {
    if (error instanceof SetupFailure) throw placeError(error.message)
    throw error
  }
}
