import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import { parseBundle } from '#lib/domain/bundle.ts'
import { isMeasured, type MeasuredEpisode } from '#lib/domain/episode.ts'
import { startProofboard } from '../../proofboard-command.ts'

type Options = {
  suite: string
  work: string
  fault: BrowserFaultKind | null
  tasks: readonly string[]
  repetitions: string
  concurrency: string
}

/** One library through some tasks with one fault or none: its last attempts, or why there are none. */
export async function playColumn(
  library: string,
  { suite, work, fault, tasks, repetitions, concurrency }: Options,
): Promise<MeasuredEpisode[] | string> {
  const out = join(work, `${library}-${fault ?? 'none'}`)
  const args = ['run', '--suite', suite, '--subject', library, '--tasks', tasks.join(',')]
  args.push('--repetitions', repetitions, '--concurrency', concurrency, '--out', out, '--json')
  if (fault !== null) args.push('--fault', fault)
  const { code, stderr } = await startProofboard(work, args).ended
  if (code === 2) return stderr.trim().split('\n').at(-1) ?? 'refused'
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error(`${library}: the run left not a complete result`)
  const last = new Map<string, MeasuredEpisode>()
  for (const episode of bundle.value.episodes.filter(isMeasured))
    last.set(`${episode.taskId}/${episode.repetition}`, episode)
  return [...last.values()]
}
