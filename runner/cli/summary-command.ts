import type { Command } from 'commander'
import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import { summaryMarkdown } from '#lib/domain/summary/summary-markdown.ts'
import { judgeHere } from './judge-here.ts'
import { provenanceOption } from './options.ts'
import { answer } from './output.ts'
import { readBundle } from './read-results.ts'

/** `proofboard summary`: what a result says, in Markdown, for the summary of a workflow's job. */
export function addSummaryCommand(program: Command): void {
  program
    .command('summary')
    .description('summarise results in Markdown: eligibility and metrics')
    .argument('<paths...>', 'result.json files or run folders')
    .addOption(provenanceOption())
    .action(execute)
}

async function execute(paths: string[], options: { as: Provenance }): Promise<void> {
  const bundles = paths.map(readBundle)
  for (const bundle of bundles)
    answer(summaryMarkdown(bundle, await judgeHere([bundle], options.as)))
}
