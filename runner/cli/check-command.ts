import type { Command } from 'commander'
import { parseBundle } from '#lib/domain/bundle.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import { type ParseResult, problemLines } from '#lib/domain/problem.ts'
import { answer, answerJson, complain } from './output.ts'
import { readJsonFile } from './read-plan.ts'

/** `proofboard check`: does a result or envelope hold what it says; exit 1 when it does not. */
export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('check a result.json or episode.json: schema, seals, digests')
    .argument('<file>')
    .option('--json', 'one JSON object as the last line of stdout')
    .action(execute)
}

function execute(path: string, options: { json?: boolean }): void {
  const checked = check(readJsonFile(path))
  if (!checked.result.ok) {
    const { problems } = checked.result
    process.exitCode = 1
    if (options.json) answerJson({ ok: false, kind: checked.kind, problems })
    else
      complain(
        [
          `${path}: refused, ${problems.length} problems`,
          ...problemLines(problems).map((line) => `  ${line}`),
        ].join('\n'),
      )
  } else if (options.json) answerJson({ ok: true, kind: checked.kind, ...checked.about })
  else answer(`${path}: a whole ${checked.kind}, every seal intact`)
}

function check(input: unknown): {
  kind: string
  result: ParseResult<unknown>
  about: Record<string, unknown>
} {
  if (typeof input === 'object' && input !== null && 'episodeId' in input) {
    return { kind: 'episode', result: parseEpisode(input), about: {} }
  }
  const result = parseBundle(input)
  const about = result.ok
    ? {
        runId: result.value.runId,
        planDigest: result.value.plan.planDigest,
        episodes: result.value.episodes.length,
      }
    : {}
  return { kind: 'result bundle', result, about }
}
