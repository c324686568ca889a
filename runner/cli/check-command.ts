import type { Command } from 'commander'
import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import type { JudgedRow, Result } from '#lib/domain/board/judge-results.ts'
import { type Problem, problemLines } from '#lib/domain/problem.ts'
import { subjectLabel } from '#lib/domain/subject.ts'
import { UsageError } from './cli-error.ts'
import { judgeHere } from './judge-here.ts'
import { provenanceOption } from './options.ts'
import { answer, answerJson, complain } from './output.ts'
import { type ReadResult, readResult } from './read-result.ts'

type Options = { json?: boolean; as: Provenance; claim?: boolean }

/** `proofboard check`: do results hold what they say, and would their rows be claims. Exit 1 when they do not hold. */
export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      'check result.json or episode.json files (schema, seals, digests) and the evidence rules',
    )
    .argument('<files...>')
    .addOption(provenanceOption())
    .option('--claim', 'exit 1 if an entry is not ranked')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(paths: string[], options: Options): Promise<void> {
  const files = paths.map((path) => ({ path, ...readResult(path) }))
  const refused = files.filter((file) => !file.result.ok)
  if (refused.length > 0) {
    refuse(refused, options)
    return
  }
  const results = files.flatMap(({ result }) => (result.ok ? [result.value] : []))
  refuseTwice(results)
  const rows = await judgeHere(results, options.as)
  if (options.claim && rows.some((row) => !row.eligible)) process.exitCode = 1
  if (options.json) answerJson(describe(files, results, rows))
  else answer([...files.map(fileLine), ...rows.flatMap((row) => rowLines(row))].join('\n'))
}

function refuse(files: readonly (ReadResult & { path: string })[], { json }: Options): void {
  process.exitCode = 1
  const problems: (Problem & { file: string })[] = files.flatMap(({ path, result }) =>
    result.ok ? [] : result.problems.map((problem) => ({ file: path, ...problem })),
  )
  if (json) {
    answerJson({ ok: false, kind: files[0]?.kind, problems, rows: [] })
    return
  }
  for (const { path, result } of files) {
    if (result.ok) continue
    const lines = problemLines(result.problems).map((line) => `  ${line}`)
    complain([`${path}: refused, ${result.problems.length} problems`, ...lines].join('\n'))
  }
}

/** The same run twice, unless as shards, would count its episodes once and look like more. */
function refuseTwice(results: readonly Result[]): void {
  const seen = new Set<string>()
  for (const { runId, shard, plan } of results) {
    if (plan === null) continue
    const key = `${runId} ${shard.index}/${shard.count}`
    if (seen.has(key)) throw new UsageError(`${runId} is listed twice: list each result once`)
    seen.add(key)
  }
}

function describe(files: readonly ReadResult[], results: readonly Result[], rows: JudgedRow[]) {
  const [first] = results
  return {
    ok: true,
    kind: files[0]?.kind,
    runId: first?.runId,
    planDigest: first?.plan?.planDigest,
    episodes: results.reduce((sum, { episodes }) => sum + episodes.length, 0),
    rows,
  }
}

function fileLine({ path, kind }: ReadResult & { path: string }): string {
  return `${path}: a whole ${kind}, every seal intact`
}

function rowLines({
  subject,
  eligible,
  label,
  reasons,
  provenance,
  suiteKnown,
}: JudgedRow): string[] {
  const verdict = eligible ? `ranked (${label})` : `unranked (${label})`
  const note = suiteKnown ? '' : ', by its plan alone: the suite is not here in this version'
  return [
    `${subjectLabel(subject)}: ${verdict}, if vouched for as ${provenance}${note}`,
    ...reasons.flatMap(({ code, text, fix }) => [`  ${code}: ${text}`, `    ${fix}`]),
  ]
}
