import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type ReadBundle, siteOfResults } from '../view/read-results.ts'
import { serveView } from '../view/serve-view.ts'
import { openSuites } from './open-suite.ts'
import { portOption } from './options.ts'
import { commandSignal, printJsonResult, printResult } from './output.ts'
import { readAnyBundle, requireResultFiles } from './read-files.ts'

type Options = { port: number; json?: boolean }

/** `proofboard view`: serves results as pages on this machine, until Ctrl-C. */
export function addViewCommand(program: Command): void {
  program
    .command('view')
    .description('show results as pages on this machine: entries, tasks, episodes; needs no server')
    .argument('<paths...>', 'run folders, result.json files, or folders of run folders')
    .option('--port <n>', 'port on 127.0.0.1; 0 = a free one', portOption, 0)
    .option('--json', 'print the address as one JSON object')
    .action(view)
}

async function view(paths: string[], { port, json }: Options): Promise<void> {
  const signal = commandSignal({ stopWithStdin: false })
  const bundles = paths.flatMap(readBundles)
  const suites = await openSuites(bundles.map(({ bundle }) => bundle.plan.suiteId))
  const results = siteOfResults({ bundles, suites, provenance: 'local' })
  const served = await serveView(results, port)
  if (json) printJsonResult({ url: served.url })
  else printResult(`${served.url}   (Ctrl-C ends)`)
  await new Promise<void>((end) => {
    if (signal.aborted) end()
    signal.addEventListener('abort', () => end())
  })
  await served.close()
}

function readBundles(path: string): ReadBundle[] {
  const files = requireResultFiles(path, 'run folders or result files')
  return files.map((file) => ({ file: resolve(file), bundle: readAnyBundle(file) }))
}
