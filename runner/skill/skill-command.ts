import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { SETTINGS } from '#lib/domain/settings/index.ts'
import { shellWord } from '#lib/domain/text/index.ts'
import { isSkill } from '../arms/skill.ts'
import { countOption, freshRunId, nameList, readAs, usdOption } from '../cli/options.ts'
import { commandSignal, printResult } from '../cli/output.ts'
import { runOne } from '../cli/run-command.ts'
import type { RunOptions } from '../cli/run-options.ts'
import { drawSkillCard, type EndedArms, readSkillVerdict } from '../cli/skill-verdict.ts'
import { addStopOptions } from '../cli/stop-options.ts'
import { hasEvals } from '../harbor/read-evals.ts'
import { usageError } from '../runner-error.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { isFolder } from '../user-files.ts'

/** `proofboard skill`: compares one agent with and without a skill, on the same tasks, in one run. */
export function addSkillCommand(program: Command): void {
  addStopOptions(
    program
      .command('skill <folder>')
      .description('measure whether a skill helps an agent: runs it with and without, interleaved'),
  )
    .option('--subject <name>', 'the agent (proofboard agents list)')
    .requiredOption('--model <name>', 'model id of the provider')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option(
      '--suite <name|path>',
      'tasks to measure on (default: evals/evals.json of the skill, else typescript)',
    )
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--first <n>', 'only the first tasks', countOption('--first'))
    .option('--repetitions <n>', 'episodes per task and arm', countOption('--repetitions'), 5)
    .option(
      '--max-cost <usd>',
      'cost limit of one episode in US dollars (default: 2)',
      usdOption('--max-cost'),
    )
    .option(
      '--price <in/out>',
      'price of a model that is not in the price table, or free',
      readAs('--price', SETTINGS.price.kind),
    )
    .option(
      '--spend-cap <usd>',
      'cost limit of the run in US dollars; raise it to continue a stopped run',
      usdOption('--spend-cap'),
    )
    .option('--concurrency <n>', 'concurrent episodes', countOption('--concurrency', 64), 1)
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--provider-file <providers.yaml>', 'providers of your own')
    .option('--script <solve|file.json>', 'with --model scripted: the script (default: solve)')
    .option('--out <dir>', 'output folder; continues an unfinished run')
    .option('--json', 'print one JSON object as the last line of stdout')
    .addHelpText(
      'after',
      `
Example:
  proofboard skill ./my-skill --subject claude --model claude-sonnet-5 --first 10

Both sides stop once the verdict is certain (--stop-when never: run all). The first lines of the result say what the skill
changes, with its interval. "proofboard run --arm" has more options.`,
    )
    .action(async (folder: string, options: RunOptions) => {
      closeInherited()
      process.umask(0o077) // other users must not read the files of a run
      refuseOthers(folder)
      requireAgent(options)
      const signal = commandSignal({ stopWithStdin: false })
      const onArms = (ended: EndedArms) => writeCard(ended, options.json === true)
      const skill = {
        ...tasksOf(folder, options),
        stopWhen: stopOf(options),
        arm: [folder],
        onArms,
      }
      await runOne({ ...options, ...skill }, signal)
    })
}

/** The skill's own evals are on no board, and neither are their results. */
function tasksOf(folder: string, { suite, out }: RunOptions): { suite: string; out?: string } {
  if (suite !== undefined) return { suite }
  if (!hasEvals(folder)) return { suite: 'typescript' }
  const own = join(dataFolder(RUNNER_ENV), 'private-runs', freshRunId())
  return { suite: resolve(folder), out: out ?? own }
}

/** Writes the card for the skill's README beside the results. */
function writeCard({ report, arms, rows }: EndedArms, isJson: boolean): void {
  const [effect] = arms?.effects ?? []
  if (effect === undefined) return
  const { decided = null, resultPath } = report
  const path = join(dirname(resultPath), 'card.svg')
  const tasks = new Set(report.episodes.map(({ taskId }) => taskId)).size
  const isRanked = rows.length > 0 && rows.every(({ eligible }) => eligible)
  const verdict = readSkillVerdict(effect, decided)
  writeFileSync(path, drawSkillCard(effect, verdict, { decided, tasks, isRanked }))
  if (isJson) return
  printResult(`card for its README: ${path}`)
  printResult(`episodes as pages: npx proofboard view ${shellWord(dirname(resultPath))}`)
}

/** One repetition leaves nothing to stop before. */
function stopOf({ stopWhen, repetitions }: RunOptions): NonNullable<RunOptions['stopWhen']> {
  return stopWhen ?? (repetitions === 1 ? 'never' : 'decided')
}

function requireAgent({ subject, agentFile }: RunOptions): void {
  if (subject === undefined && agentFile === undefined)
    throw usageError('name the agent: --subject claude (proofboard agents list)', '--subject')
}

function refuseOthers(folder: string): void {
  if (!isFolder(folder)) throw usageError(`${folder} is not a folder: name that of the skill`)
  if (!isSkill(folder))
    throw usageError(
      `${folder} has no SKILL.md, so it is not a skill: use "proofboard run --arm ${folder}" for other files`,
    )
}
