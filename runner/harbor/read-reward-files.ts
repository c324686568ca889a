import { MOST_REPORT_BYTES } from '#lib/domain/formats/index.ts'
import { MOST_REWARD_BYTES } from '#lib/domain/tasks/index.ts'
import { readPlainFile } from '../engine/workspace.ts'
import type { VerifierRun } from './place.ts'

/** Reads what a verifier wrote, which may be hostile: plain files of its own folder, up to a size, no links. */
export async function readRewardFiles(
  folder: string,
): Promise<Pick<VerifierRun, 'txt' | 'json' | 'ctrf' | 'problem'>> {
  const problems: string[] = []
  const read = async (name: string, most: number) => {
    const found = await readPlainFile(folder, name, most)
    if (found.kind === 'refused') problems.push(`${name} ${found.reason}`)
    return found.kind === 'read' ? found.bytes.toString('utf8') : null
  }
  const txt = await read('reward.txt', MOST_REWARD_BYTES)
  const json = await read('reward.json', MOST_REWARD_BYTES)
  const problem = problems[0] ?? null
  // A report of tests is shown and decides nothing.
  return { txt, json, problem, ctrf: await read('ctrf.json', MOST_REPORT_BYTES) }
}
