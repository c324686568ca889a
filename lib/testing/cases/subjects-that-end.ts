import { join } from 'node:path'
import { listProcesses, type RunningProcess } from '#runner/sandbox/process/list-processes.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { readMeasuredBundle } from '../factories/proofboard-command.ts'

type Subject = [does: string, command: string, status: string, category: string]

/** Subjects that end in every possible way. The first two run in every test run, the others in the long one. */
export const SUBJECTS: readonly Subject[] = [
  [
    'hangs and ignores SIGTERM',
    "trap '' TERM; while :; do sleep 1; done",
    'out-of-budget',
    'timeout',
  ],
  ['leaves daemons', 'setsid sleep 99 & exit 0', 'unsolved', 'no-change'],
  ['dies of a signal', 'kill -SEGV $$', 'subject-crashed', 'crash'],
  ['exits with 3', 'exit 3', 'subject-crashed', 'crash'],
  ['fills the disk', 'dd if=/dev/zero of=big bs=1M count=700', 'out-of-budget', 'budget'],
  [
    'writes broken UTF-8 and floods',
    "printf '\\377\\376'; head -c 40000000 /dev/zero",
    'unsolved',
    'no-change',
  ],
  ['deletes its own workspace', 'rm -rf "$PWD"; exit 0', 'unsolved', 'test-failure'],
  ['links its solution elsewhere', 'ln -sf /etc/passwd lru-cache.ts', 'tampered', 'tampering'],
]

/** Runs a command on one exercise; returns how its attempt ended, and which processes survived. */
export async function endOf(
  root: string,
  command: string,
): Promise<{ ends: (string | null | undefined)[]; left: RunningProcess[] }> {
  const out = join(root, 'out')
  await proofboardHere(join(root, 'data'), [
    ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--command', command],
    ...['--timeout', '4', '--isolation', 'local', '--out', out],
  ])
  const [episode] = readMeasuredBundle(join(out, 'result.json')).episodes
  const mark = `PROOFBOARD_EPISODE=${episode?.episodeId}`
  return {
    ends: [episode?.outcome.status, episode?.failureCategory],
    left: listProcesses().filter(({ environment }) => environment.includes(mark)),
  }
}
