import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { type LibraryFact, libraryFactsSchema } from '#lib/domain/axes/library-facts.ts'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { AgentError } from '../agents/agent-error.ts'
import { systemClock } from '../clock.ts'
import { local } from '../isolation/local.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { measureLibrary } from '../libraries/measure/measure-library.ts'
import { openBench } from '../libraries/measure/open-bench.ts'
import { findLibrary, LIBRARIES } from '../libraries/registry.ts'
import { resolveEnvironment } from '../resolve-environment.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import { identify } from '../workflow/find-workflow-subject.ts'
import { UsageError } from './cli-error.ts'
import { LazyGate, openSuite } from './open-suite.ts'
import { answer, answerJson, complain } from './output.ts'

type Options = { libraries?: string; out?: string; json?: boolean }
type Installed = { adapter: LibraryAdapter; version: string }

/** `proofboard libraries measure`: what a library is like apart from any episode, as `library-facts.json`. */
export function addMeasureCommand(libraries: Command): void {
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
  const chosen = await chooseInstalled(names)
  const { harness } = await resolveEnvironment(await local.record())
  const suite = await openSuite('browser', new LazyGate())
  if (suite.kind !== 'browser') throw new UsageError('the suite browser holds no workflows')
  if (harness.dirty)
    complain('the working tree has changes that are not committed; the facts say so')
  const facts: LibraryFact[] = []
  const bench = await openBench()
  try {
    const parts = { bench, tasks: suite.tasks, harness, now: systemClock.now }
    for (const { adapter, version } of chosen) {
      const fact = await measureLibrary(adapter, version, parts)
      complain(lineOf(fact))
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
  if (json) answerJson(document)
  else
    answer(out === undefined ? 'Not saved. Use --out to write the facts to a file.' : resolve(out))
}

/** Those that were named must be here; of all, the others are left out, and said so. */
async function chooseInstalled(names: string | undefined): Promise<Installed[]> {
  const wanted = names === undefined ? [...LIBRARIES] : names.split(',').map(mustFind)
  const found: Installed[] = []
  for (const adapter of new Set(wanted)) {
    try {
      const { version } = await identify(adapter)
      if (version !== null) found.push({ adapter, version })
    } catch (error) {
      if (names !== undefined || !(error instanceof AgentError)) throw error
      complain(`${adapter.name} is left out: ${error.message}`)
    }
  }
  return found
}

function mustFind(name: string): LibraryAdapter {
  const adapter = findLibrary(name)
  if (adapter !== null) return adapter
  const known = LIBRARIES.map((library) => library.name)
  throw new UsageError(unknownName('browser library', name, known))
}

function lineOf({ name, adapterLines, tools, errors, authSetup }: LibraryFact): string {
  const actionable = errors?.filter((error) => error.actionable).length ?? null
  const parts = [
    `adapter ${adapterLines ?? '–'} lines`,
    `tools ${tools?.count ?? '–'} (${tools?.schemaTokens ?? '–'} tokens)`,
    `errors actionable ${actionable ?? '–'} of ${errors?.length ?? '–'}`,
    `sign-in ${authSetup?.ms ?? '–'} ms`,
  ]
  return `${name}: ${parts.join(', ')}`
}
