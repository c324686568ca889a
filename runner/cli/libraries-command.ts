import type { Command } from 'commander'
import { AgentError } from '../agents/agent-error.ts'
import { findChromium } from '../browser/find-chromium.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { identify } from '../workflow/find-workflow-subject.ts'
import { addMeasureCommand } from './measure-command.ts'
import { answer, answerJson } from './output.ts'

/** `proofboard libraries`: list browser libraries and check this machine. */
export function addLibrariesCommand(program: Command): void {
  const libraries = program
    .command('libraries')
    .description('list browser libraries and check this machine')
    .option('--json', 'print JSON as the last line of stdout')
    .action(list)
  addMeasureCommand(libraries)
}

type Here = { browser: string | null; problem: string | null }

async function list({ json }: { json?: boolean }): Promise<void> {
  const here = await lookForBrowser()
  const libraries = await Promise.all(LIBRARIES.map(inspect))
  if (json) return answerJson({ ...here, libraries })
  answer(here.browser ?? `MISSING  ${here.problem}`)
  for (const { name, version, targeting, driven, missing } of libraries)
    answer(
      `${name.padEnd(20)} ${(version ?? '–').padEnd(10)} ${targeting.padEnd(5)} ${driven.join(', ').padEnd(14)} ${missing ?? ''}`.trimEnd(),
    )
}

async function lookForBrowser(): Promise<Here> {
  try {
    const { version } = await findChromium(OWN_ENV)
    return { browser: version, problem: null }
  } catch (error) {
    return { browser: null, problem: (error as Error).message }
  }
}

async function inspect(adapter: LibraryAdapter) {
  const { name, title, targeting, lacks } = adapter
  const driven = adapter.openTools ? ['scripted', 'llm'] : ['scripted']
  try {
    const { version } = await identify(adapter)
    return { name, title, version, targeting, driven, lacks, missing: null }
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    return { name, title, version: null, targeting, driven, lacks, missing: error.message }
  }
}
