import type { Command } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import { printJsonResult, printResult, writeError } from '../../cli/output.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { leftOutLines } from '../../suites/left-out.ts'
import { dataFolder } from '../../suites/project-paths.ts'
import { importDataset } from './import-dataset.ts'

/** `proofboard suite import harbor`: the tasks of a data set that a registry of Harbor names. */
export function addImportHarborCommand(importing: Command): void {
  importing
    .command('harbor')
    .description('import a data set of a registry of Harbor as a private suite')
    .argument('<name@version>')
    .requiredOption('--registry <file or url>', 'the registry (registry.json)')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(wanted: string, options: { registry: string; json?: boolean }) {
  const how = {
    registry: options.registry,
    data: dataFolder(RUNNER_ENV),
    report: writeError,
  }
  const { suite, folder, tasks, leftOut } = await importDataset(wanted, how)
  for (const line of leftOutLines(leftOut)) writeError(line)
  if (options.json) {
    const names = leftOut.map(({ name }) => name)
    printJsonResult({ suite, folder, tasks, leftOut: names })
  } else
    printResult(
      `imported ${suite}, ${countOf(tasks, 'task')}, to ${folder}: prove it with "proofboard suite verify ${suite}"`,
    )
}
