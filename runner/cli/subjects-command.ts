import { type Command, Option } from 'commander'
import { parse, YAMLParseError } from 'yaml'
import { problemLines } from '#lib/domain/problem.ts'
import { type Cadence, listSubjects } from '#lib/domain/subject-list.ts'
import { UsageError } from './cli-error.ts'
import { answer } from './output.ts'
import { readTextFile } from './read-text-file.ts'

/** `proofboard subjects`: whom a scheduled leaderboard measures today, as lines `name=value` for a workflow's output. */
export function addSubjectsCommand(program: Command): void {
  program
    .command('subjects')
    .description('list the subjects of a file; prints name=value lines for a workflow')
    .argument('<subjects.yml>')
    .addOption(
      new Option('--every <cadence>', 'cadence: daily subjects only, or all once a week')
        .choices(['day', 'week'])
        .default('week'),
    )
    .action(execute)
}

function execute(path: string, { every }: { every: Cadence }): void {
  const listed = listSubjects(readYaml(path), every)
  if (!listed.ok)
    throw new UsageError(
      `${path} is not a list of subjects: ${problemLines(listed.problems, 5).join('; ')}`,
    )
  answer(`subjects=${JSON.stringify(listed.value)}\ncount=${listed.value.length}`)
}

function readYaml(path: string): unknown {
  try {
    return parse(readTextFile(path), { maxAliasCount: 0 })
  } catch (error) {
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error
    throw new UsageError(`${path} is not valid YAML: ${error.message.split('\n')[0]}`)
  }
}
