import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { type LibraryFact, libraryFactsSchema } from '#lib/domain/reports/index.ts'
import { countOf, unknownName } from '#lib/domain/text/index.ts'
import { PACKAGE } from '#lib/setup/layout.mjs'
import { findChromium } from '../browser/find-chromium.ts'
import { systemClock } from '../engine/clock.ts'
import { writeAtomic } from '../engine/files.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { BROWSER } from '../kinds/browser/browser.ts'
import { tasksOf } from '../kinds/kind.ts'
import { checkLibrary, type LibraryCheck } from '../libraries/check-library.ts'
import { fetchPackages } from '../libraries/installed-package.ts'
import type { LibraryAdapter, OptionalPackage } from '../libraries/library-adapter.ts'
import { measureLibrary } from '../libraries/measure/measure-library.ts'
import { openBench } from '../libraries/measure/open-bench.ts'
import { optionalFolder } from '../libraries/optional-package.ts'
import { pipInstall } from '../libraries/python-package.ts'
import { findLibrary, LIBRARIES } from '../libraries/registry.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { isRunnerError, placeError, usageError } from '../runner-error.ts'
import { local } from '../sandbox/isolation/local.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { makeWhole } from '../scratch.ts'
import { npmInstall } from '../subjects/agents/npm-install.ts'
import { inspectKeys } from '../subjects/agents/providers.ts'
import { identify, loadLibraryFile, pickLibrary } from '../workflow/find-workflow-subject.ts'
import { modelDriven } from '../workflow/model-driven.ts'
import { withSuite } from './open-suite.ts'
import { commandSignal, printJsonResult, printResult, writeError } from './output.ts'

/** `proofboard libraries`: list browser libraries and check this machine. */
export function addLibrariesCommand(program: Command): void {
  const libraries = program
    .command('libraries')
    .description('list browser libraries and check this machine')
    .option(
      '--library-file <library.yaml>',
      'a custom MCP server, in addition to the built-in libraries',
    )
    .option('--json', 'print JSON as the last line of stdout')
    .action(list)
  addInstallCommand(libraries)
  addDoctorCommand(libraries)
  addMeasureCommand(libraries)
}

type LocalBrowser = { browser: string | null; problem: string | null }

type ListOptions = { libraryFile?: string; json?: boolean }

async function list({ libraryFile, json }: ListOptions): Promise<void> {
  const own = libraryFile === undefined ? [] : [loadLibraryFile(libraryFile)]
  const here = await lookForBrowser()
  const libraries = await Promise.all([...LIBRARIES, ...own].map(inspect))
  if (json) return printJsonResult({ ...here, libraries })
  printResult(here.browser ?? `MISSING  ${here.problem}`)
  for (const { name, version, targeting, driven, missing } of libraries)
    printResult(
      `${name.padEnd(20)} ${(version ?? '–').padEnd(10)} ${targeting.padEnd(11)} ${driven.join(', ').padEnd(14)} ${missing ?? ''}`.trimEnd(),
    )
}

async function lookForBrowser(): Promise<LocalBrowser> {
  try {
    const { version } = await findChromium(RUNNER_ENV)
    return { browser: version, problem: null }
  } catch (error) {
    return { browser: null, problem: (error as Error).message }
  }
}

async function inspect(adapter: LibraryAdapter) {
  const { name, title, targeting, lacks } = adapter
  const takesModel = Boolean(adapter.openTools || adapter.modelLoop)
  const driven = [...(adapter.modelOnly ? [] : ['scripted']), ...(takesModel ? ['llm'] : [])]
  const known = knownProviders(null)
  const { keys, otherProviders } = inspectKeys(modelDriven(adapter), known, RUNNER_ENV)
  const providers = takesModel ? [...keys, ...otherProviders] : []
  try {
    const { version } = await identify(adapter)
    return { name, title, version, targeting, driven, lacks, providers, missing: null }
  } catch (error) {
    if (!isRunnerError(error, 'subject')) throw error
    const unknown = { version: null, missing: error.message }
    return { name, title, targeting, driven, lacks, providers, ...unknown }
  }
}

/** `proofboard libraries install`: installs a library that is too large to be shipped. */
function addInstallCommand(libraries: Command): void {
  libraries
    .command('install <name>')
    .description(
      'install the tested version of an optional library (stagehand, magnitude, crawlee, browser-use)',
    )
    .action(async (name: string) => {
      const { optional, title } = mustFind(name)
      if (!optional) return printResult(`${name} is included in Proofboard: nothing to install`)
      const failure = await installOptional(optional, RUNNER_ENV)
      if (failure !== null) throw placeError(`${title} could not be installed: ${failure}`)
      printResult(`${optional.name} ${optional.version}\n${optionalFolder(optional, RUNNER_ENV)}`)
    })
}

/** Installs it atomically; a second call finds it. Null = installed, else why not. */
async function installOptional(
  wanted: OptionalPackage,
  env: typeof RUNNER_ENV,
): Promise<string | null> {
  const folder = optionalFolder(wanted, env)
  if (existsSync(folder)) return null
  const signal = commandSignal({ stopWithStdin: false })
  return makeWhole(folder, (draft) =>
    wanted.from === 'pip'
      ? pipInstall(draft, wanted, env, signal)
      : npmInstall(draft, `${wanted.name}@${wanted.version}`, env, { signal }),
  )
}

/** `proofboard libraries doctor`: opens one library with a real browser, as an episode would. */
function addDoctorCommand(libraries: Command): void {
  libraries
    .command('doctor [name]')
    .description('start a library at a browser and list the tools of an MCP server')
    .option('--library-file <library.yaml>', 'a custom MCP server')
    .option('--json', 'print JSON as the last line of stdout')
    .action((name: string | undefined, _: ListOptions, command: Command) =>
      doctor(name, command.optsWithGlobals<ListOptions>()),
    )
}

/** Exit 1 if the library cannot be started here. */
async function doctor(name: string | undefined, { libraryFile, json }: ListOptions): Promise<void> {
  if (name === undefined && libraryFile === undefined)
    throw usageError('no library specified: use a name or --library-file FILE')
  const adapter =
    name === undefined ? loadLibraryFile(libraryFile ?? '') : pickLibrary(name, libraryFile ?? null)
  const about = await inspect(adapter)
  const checked = about.missing === null ? await checkLibrary(adapter) : null
  const problem = about.missing ?? checked?.problem ?? null
  if (json) printJsonResult({ ...about, ...checked, problem })
  else printResult(checkLines({ ...about, tools: checked?.tools ?? null, problem }).join('\n'))
  if (problem !== null) process.exitCode = 1
}

type Checked = Awaited<ReturnType<typeof inspect>> & Pick<LibraryCheck, 'tools' | 'problem'>

function checkLines({ name, title, version, driven, tools, problem }: Checked): string[] {
  return [
    `${name}  ${title}, ${version ?? 'version unknown'}, ${driven.join(', ')}`,
    ...(problem === null ? ['ready: it reached a browser'] : [`MISSING  ${problem}`]),
    ...(tools === null
      ? []
      : [
          [countOf(tools.count, 'tool'), ...countTokens(tools.tokens)].join(', '),
          ...tools.names.map((one) => `  ${one}`),
        ]),
  ]
}

/** Returns nothing if the encoding is not installed. */
function countTokens(tokens: number | null): string[] {
  return tokens === null ? [] : [countOf(tokens, 'token')]
}

type Options = { libraries?: string; out?: string; json?: boolean }
type Installed = { adapter: LibraryAdapter; version: string }

/** `proofboard libraries measure`: measures a library apart from episodes, as `library-facts.json`. */
function addMeasureCommand(libraries: Command): void {
  libraries
    .command('measure')
    .description('measure adapters, tool schemas, error messages and sign-in')
    .option(
      '--libraries <names>',
      'only these, separated by commas; default: all that are installed',
    )
    .option('--out <file>', 'output file (default: only printed)')
    .option('--json', 'the facts as one JSON object, the last line of stdout')
    .action((_, command: Command) => measure(command.optsWithGlobals()))
}

async function measure({ libraries: names, out, json }: Options): Promise<void> {
  if (PACKAGE !== null)
    throw usageError('libraries measure reads the sources of the adapters: run it in a clone')
  const chosen = await chooseInstalled(names)
  const { harness } = await resolveEnvironment(await local.record())
  const tasks = await withSuite('browser', async (suite) => tasksOf(BROWSER, suite))
  if (tasks === null) throw usageError('the suite browser contains no workflows')
  if (harness.dirty)
    writeError('the working tree has changes that are not committed; the facts say so')
  const facts: LibraryFact[] = []
  const bench = await openBench()
  try {
    const parts = { bench, tasks, harness, now: systemClock.now }
    for (const { adapter, version } of chosen) {
      const fact = await measureLibrary(adapter, version, parts)
      writeError(lineOf(fact))
      facts.push(fact)
    }
  } finally {
    await bench.close()
  }
  const document = libraryFactsSchema.parse({ schemaVersion: 1, libraries: facts })
  if (out !== undefined) {
    const path = resolve(out)
    await mkdir(dirname(path), { recursive: true })
    await writeAtomic(path, `${JSON.stringify(document, null, 2)}\n`)
  }
  if (json) printJsonResult(document)
  else
    printResult(
      out === undefined ? 'Not saved. Use --out to write the facts to a file.' : resolve(out),
    )
}

/** Named libraries must be installed; of all, missing ones are skipped, with a notice. */
async function chooseInstalled(names: string | undefined): Promise<Installed[]> {
  const wanted = (names === undefined ? [...LIBRARIES] : names.split(',').map(mustFind)).filter(
    ({ modelOnly }) => !modelOnly, // measured by scripts
  )
  const found: Installed[] = []
  for (const adapter of new Set(wanted)) {
    try {
      const { version } = await identify(adapter)
      if (version !== null) found.push({ adapter, version })
    } catch (error) {
      if (names !== undefined || !isRunnerError(error, 'subject')) throw error
      writeError(`${adapter.name} is left out: ${error.message}`)
    }
  }
  await fetchPackages(found.flatMap(({ adapter }) => adapter.package ?? []))
  return found
}

function mustFind(name: string): LibraryAdapter {
  const adapter = findLibrary(name)
  if (adapter !== null) return adapter
  const known = LIBRARIES.map((library) => library.name)
  throw usageError(unknownName('browser library', name, known))
}

function lineOf({ name, adapterLines, tools, errors, authSetup }: LibraryFact): string {
  const actionable = errors?.filter((error) => error.actionable).length ?? null
  const parts = [
    `adapter lines ${adapterLines ?? '–'}`,
    `tools ${tools?.count ?? '–'} (tokens ${tools?.schemaTokens ?? '–'})`,
    `errors actionable ${actionable ?? '–'} of ${errors?.length ?? '–'}`,
    `sign-in ${authSetup?.ms ?? '–'} ms`,
  ]
  return `${name}: ${parts.join(', ')}`
}
